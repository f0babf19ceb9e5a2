// Renders the launcher on the page's own server, as HTML with a declarative shadow root. It looks like the launcher of
// webchat.js, which takes its place.
import { platformError } from '../../protocol/error.ts';
import { readLayer, resolveConfiguration } from '../../protocol/page-api/config-layers.ts';
import type { Configuration } from '../../widget/global.ts';
import { launcher as strings } from '../../widget/i18n/en/launcher.ts';
import { bubblePath } from '../../widget/launcher/icon-path.ts';
import { themeCss } from '../../widget/launcher/theme.ts';

export interface LauncherOptions {
  /** The address of the chat, `https://HOST/chat/WEBHOOK`. */
  chatUrl: string;
  /** The fields that the page passes to the chat, or that the server stores for it (`GET {chatUrl}/webchat`). */
  configuration?: Configuration | undefined;
  /** The name of the launcher for screen readers, in the language of the page. Default: "Open chat". */
  label?: string | undefined;
  /**
   * HTML of the site that a click shows until the chat has loaded, and without JavaScript: an address to write to, for
   * example. It is inserted as it is. Default: a link to the page of the chat.
   */
  fallback?: string | undefined;
  /** The nonce for `style-src` of the page's content security policy. */
  nonce?: string | undefined;
}

/**
 * Returns the HTML of the launcher, for the end of `<body>`; an empty text if `configuration.launcher` is false. Invalid
 * fields of the configuration are ignored. A click before webchat.js has loaded opens the window afterwards.
 * @throws invalid_argument without an http(s) address.
 */
export function renderLauncher({ chatUrl, configuration, label, fallback, nonce }: LauncherOptions): string {
  if (!/^https?:\/\/[^/]/.test(chatUrl)) {
    throw platformError('invalid_argument', "renderLauncher() needs chatUrl: 'https://HOST/chat/WEBHOOK'.");
  }
  const fields = resolveConfiguration(readLayer(configuration, () => {}));
  if (!fields.launcher) return '';
  const name = escaped(label ?? strings.openChat);
  const page = escaped(`${chatUrl.replace(/\/+$/, '')}/page`);
  const style = `<style${nonce ? ` nonce="${escaped(nonce)}"` : ''}>${cssOf(fields)}</style>`;
  const icon = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${bubblePath}"/></svg>`;
  const launcher = `<summary class="launcher" part="launcher" aria-label="${name}">${icon}</summary>`;
  const content = fallback ?? `<a href="${page}" target="_blank" rel="noopener">${name}</a>`;
  // Its own element shows what is clicked without a script, and keeps it: <details>.
  const root = `<details class="box" part="box">${launcher}<div class="window" part="window"><slot></slot></div></details>`;
  return `<platform-webchat data-rendered><template shadowrootmode="open">${style}${root}</template>${content}</platform-webchat>`;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

type Fields = ReturnType<typeof resolveConfiguration>;

/** Only texts of the tables and checked values, so nothing in it can end the element. */
function cssOf(fields: Fields): string {
  const { themeMode, position } = fields;
  const dark = themeCss(fields, 'dark');
  const light = themeCss(fields, 'light');
  // The theme of the page is read by the script; until then `page` is the system's, as in theme.ts.
  const theme =
    themeMode === 'dark'
      ? dark
      : themeMode === 'light'
        ? light
        : `${light}@media (prefers-color-scheme:dark){${dark}}`;
  // Without a side: the end of the page's lines, as the script places it.
  const side = position
    ? ''
    : '@layer webchat{.launcher,.window{right:auto;inset-inline-end:var(--offset-x)}}';
  return css.replace(/\n\s*/g, '') + theme + side;
}

/** As in launcher/launcher.css: e2e/packages/server-launcher.spec.ts compares the two. */
const css = `@layer webchat{
  :host{all:initial!important;position:fixed!important;display:block!important;width:0!important;height:0!important;overflow:visible!important}
  *{box-sizing:border-box}
  .box{font:400 15px/1.45 var(--font);color:var(--text)}
  :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
  .launcher,.window{position:fixed;left:var(--left,auto);right:var(--right,auto)}
  .launcher{bottom:max(var(--offset-y),env(safe-area-inset-bottom));display:grid;place-items:center;width:56px;height:56px;
    border-radius:50%;background:var(--fill);color:var(--on-fill);box-shadow:0 4px 20px rgba(10,14,22,.25);
    list-style:none;cursor:pointer;touch-action:manipulation}
  .launcher::-webkit-details-marker{display:none}
  .launcher:hover{filter:brightness(.93)}
  .launcher:focus-visible{box-shadow:0 0 0 3px var(--bg)}
  .launcher svg{width:26px;height:26px;fill:currentColor;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
  .window{bottom:calc(var(--offset-y) + 72px);display:grid;place-content:center;padding:24px;text-align:center;
    width:min(400px,100vw - 20px - var(--offset-x));height:min(680px,100dvh - 92px - var(--offset-y));overflow:hidden;
    border-radius:var(--radius);background:var(--bg);box-shadow:0 0 0 1px var(--line),0 12px 48px rgba(10,14,22,.25)}
  ::slotted(*){color:var(--accent)}
  @media (max-width:480px),(max-height:480px) and (max-width:960px){
    .window{inset-block:0 auto;inset-inline:0;width:100%;height:100dvh;border-radius:0;box-shadow:none}
    .box[open] .launcher{z-index:1}
  }
  @media print{:host{display:none!important}}
  @media (forced-colors:active){.launcher{border:1px solid CanvasText}}
}`;
