// The host-page bundle: a picture in the launcher, a style sheet by address, a z-index, an embedded chat, a greeting, what
// the launcher keeps clear of, the theme of the page, density, text size, the size of the window, tools of the browser, and a
// move of the stored record. Loaded only if one of these is configured; plain DOM.
import { hostPageFields } from '../../../protocol/page-api/host-page-fields.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { keepClear } from './avoid.ts';
import densityCss from './density.css?inline';
import { greet } from './greeting.ts';
import css from './host-page.css?inline';
import { clearEverywhere, moveRecord } from './move-record.ts';
import { followPage } from './page-theme.ts';
import type { SizeSettings } from './window-size.ts';

export { count } from './analytics.ts';

export { raise } from './raise.ts';

/** Applies the present configuration. Called again after each change. */
export function apply(widget: Widget, target: Element | null): void {
  clearEverywhere(widget);
  moveRecord(widget);
  const { box } = widget;
  const { fabImage, additionalStylesheetUrl, zIndex, avoid, density, textSize, ...settings } =
    widget.resolve(hostPageFields);
  const root = box.getRootNode() as ShadowRoot;
  const order = zIndex === undefined ? '' : `@layer webchat{:host{z-index:${zIndex}!important}}`;
  widget.adopt('host-page', css + order);
  if (target) embed(widget, target);
  else {
    setTopLayer(root.host as HTMLElement, zIndex === undefined);
    greet(widget);
    keepClear(widget, avoid);
    setSizes(widget, settings);
  }
  followPage(widget);
  followModelContext(widget);
  setDensity(widget, density, textSize);
  setImage(box, fabImage);
  setSheet(root, additionalStylesheetUrl);
}

function setSizes(widget: Widget, settings: SizeSettings): void {
  const { windowSize, expandable, dockable, resizable } = settings;
  // Also when they were switched off again.
  if (windowSize === 'normal' && !(expandable || dockable || resizable || widget.sizing)) return;
  const measureAgain = () => keepClear(widget, widget.resolve(hostPageFields).avoid);
  import('./window-size.ts').then(
    ({ applySizes }) => widget.signal.aborted || applySizes(widget, settings, measureAgain),
    // Then the window has its usual size.
    () => {},
  );
}

/** The chats that offer or use tools of the browser, or have. */
const withModelContext = new WeakSet<Widget>();

function followModelContext(widget: Widget): void {
  const mode = () => widget.resolve(hostPageFields).webmcp;
  if (!mode() && !withModelContext.has(widget)) return;
  withModelContext.add(widget);
  import('./webmcp.ts').then(
    ({ applyWebmcp }) => widget.signal.aborted || applyWebmcp(widget, mode()),
    // Then the bot and the browser do without each other.
    () => {},
  );
}

function setDensity({ box, adopt }: Widget, density = 'comfortable', textSize?: number): void {
  const isChanged = density !== 'comfortable' || textSize !== undefined;
  box.setAttribute('data-density', density);
  const size = `.box{--text-size:var(--pw-text-size,${textSize ?? 15}px)}`;
  adopt('density', isChanged ? `${densityCss}@layer webchat-density{${size}}` : '');
}

/** In the top layer, `z-index` has no effect. */
function setTopLayer(host: HTMLElement, isTop: boolean): void {
  if (!('showPopover' in host) || isTop === host.hasAttribute('popover')) return;
  host.popover = isTop ? 'manual' : null;
  if (isTop) host.showPopover();
}

/** The picture that each launcher shows or has tried to show. */
const pictures = new WeakMap<HTMLElement, string>();

function setImage(box: HTMLElement, address = ''): void {
  // A picture that could not be loaded is not requested again.
  if ((pictures.get(box) ?? '') === address) return;
  pictures.set(box, address);
  const launcher = box.querySelector('.launcher');
  launcher?.querySelector('img')?.remove();
  if (!address) return;
  const picture = document.createElement('img');
  picture.alt = '';
  // If the picture cannot be loaded, the icon is shown again.
  picture.onerror = () => picture.remove();
  picture.src = address;
  launcher?.insertBefore(picture, launcher.firstChild);
}

function setSheet(root: ShadowRoot, address = ''): void {
  const shown = root.querySelector('link');
  // Only if it has changed, because inserting a style sheet loads it again.
  if ((shown?.getAttribute('href') ?? '') === address) return;
  shown?.remove();
  if (!address) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  root.insertBefore(link, root.firstChild);
}

/** Embeds the chat in an element of the page or the whole page, without a launcher, and opens it when the element is visible. */
function embed(widget: Widget, target: Element): void {
  const { frame, signal } = widget;
  const { host } = frame.getRootNode() as ShadowRoot;
  if (host.hasAttribute('data-inline')) return;
  host.setAttribute('data-inline', target === document.body ? 'page' : 'element');
  // An embedded chat is not a dialog and cannot be closed. If it was opened before, it was over the page.
  frame.setAttribute('role', 'region');
  dispatchEvent(new Event('resize'));
  if (!window.IntersectionObserver) {
    widget.open();
    return;
  }
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    widget.open();
  });
  observer.observe(host);
  signal.addEventListener('abort', () => observer.disconnect());
}
