// Renders the launcher on the page's own server, as HTML with a declarative shadow root. It looks like the launcher of
// webchat.js, which takes its place.
import en from '../../locales/en.json' with { type: 'json' };
import { platformError } from '../../protocol/error.ts';
import { readLayer, resolveConfiguration } from '../../protocol/page-api/config-layers.ts';
import type { Configuration } from '../../widget/global.ts';
import { bubblePath } from '../../widget/launcher/icon-path.ts';
import css from '../../widget/launcher/launcher.css?inline';
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
  const name = escaped(label ?? en.widget.launcher.openChat);
  const page = escaped(`${chatUrl.replace(/\/+$/, '')}/page`);
  const style = `<style${nonce ? ` nonce="${escaped(nonce)}"` : ''}>${cssOf(fields)}</style>`;
  const icon = `<svg class="talk" viewBox="0 0 24 24" aria-hidden="true"><path d="${bubblePath}"/></svg>`;
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
  return `${css}${ownCss}${theme}${position ? '' : sideCss}`;
}

/** The button is a `<summary>`, and the window has the content of the site in its middle. */
const ownCss = `@layer webchat{
  summary{list-style:none;cursor:pointer;touch-action:manipulation}
  summary::-webkit-details-marker{display:none}
  .box[open] .launcher{z-index:1}
  .window{display:grid;place-content:center;padding:24px;text-align:center}
  ::slotted(*){color:var(--accent)}
}`;

/** Without a side: the end of the page's lines, as the script places it. */
const sideCss = `@layer webchat{
  .launcher,.window{right:auto;inset-inline-end:var(--offset-x)}
  @media (max-width:480px),(max-height:480px) and (max-width:960px){.window{inset-inline:0}}
}`;
