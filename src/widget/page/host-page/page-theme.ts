// Reads whether the page is light or dark, for the theme `page`, and follows its changes.
import type { Widget } from '../../launcher-chat-interface.ts';

type Mode = 'light' | 'dark';

/** Attributes by which pages and their frameworks name their theme. */
const markAttributes = [
  'class',
  'data-theme',
  'data-mode',
  'data-color-scheme',
  'data-color-mode',
  'data-bs-theme',
];
/** `dark`, `theme-dark` and `dark-mode`; not `darkroom`, `text-dark`, nor `dark:bg-black`, which is about the other theme. */
const mark = /(?:^|[\s_-])(?<!text-)(light|dark)(?![a-z:])/i;
const darkQuery = '(prefers-color-scheme: dark)';

const followers = new WeakMap<Widget, () => void>();

/** Sets the mode of the widget to that of the page while its theme is `page`. Called again after each change. */
export function followPage(widget: Widget): void {
  if (widget.configuration.themeMode !== 'page') {
    setMode(widget, undefined);
    return;
  }
  const follow = followers.get(widget) ?? createFollower(widget);
  followers.set(widget, follow);
  follow();
}

function createFollower(widget: Widget): () => void {
  const { signal } = widget;
  let frame = 0;
  const update = () => {
    frame = 0;
    if (!signal.aborted && widget.configuration.themeMode === 'page') setMode(widget, readMode());
  };
  // In a frame, after the page has set all its attributes.
  const schedule = () => {
    frame ||= requestAnimationFrame(update);
  };
  const observer = new MutationObserver(() => {
    watch();
    schedule();
  });
  const watch = () => {
    const { documentElement, body, head } = document;
    observer.observe(documentElement, { attributes: true, childList: true });
    // A framework may replace the body.
    if (body) observer.observe(body, { attributes: true });
    // A style sheet that is added, removed, exchanged or disabled.
    if (head) observer.observe(head, { attributes: true, childList: true, subtree: true });
  };
  watch();
  matchMedia(darkQuery).addEventListener('change', schedule, { signal });
  // During a transition of the background its color is still the old one; a style sheet takes effect when it has loaded.
  for (const type of ['transitionend', 'load']) {
    const onEvent = ({ target }: Event) => {
      const isPage = target === document.documentElement || target === document.body;
      if (isPage || (target as Node).nodeName === 'LINK') schedule();
    };
    document.addEventListener(type, onEvent, { capture: true, signal });
  }
  signal.addEventListener('abort', () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  });
  return update;
}

function setMode(widget: Widget, mode: Mode | undefined): void {
  if (widget.pageMode === mode) return;
  if (mode) widget.pageMode = mode;
  else delete widget.pageMode;
  // Applies the configuration again.
  widget.config({});
}

/**
 * The mode of the page, from the first of these that tells: a mark on `<html>` or `<body>`, a `color-scheme` of one word,
 * the background of `<body>` or `<html>`, and for `color-scheme: light dark` the visitor's system. Otherwise light.
 */
export function readMode(): Mode {
  const elements = [document.documentElement, document.body].filter(Boolean);
  for (const element of elements) {
    for (const name of markAttributes) {
      const marked = mark.exec(element.getAttribute(name) ?? '')?.[1];
      if (marked) return marked.toLowerCase() as Mode;
    }
  }
  const { colorScheme } = getComputedStyle(document.documentElement);
  const [hasLight, hasDark] = [/light/.test(colorScheme), /dark/.test(colorScheme)];
  if (hasLight !== hasDark) return hasDark ? 'dark' : 'light';
  for (const element of elements.reverse()) {
    const mode = modeOf(getComputedStyle(element).backgroundColor);
    if (mode) return mode;
  }
  return hasDark && matchMedia(darkQuery).matches ? 'dark' : 'light';
}

/** Whether a color is light or dark; undefined for a transparent one. */
function modeOf(color: string): Mode | undefined {
  const [red = 0, green = 0, blue = 0, opacity = 1] = /^rgb/.test(color)
    ? (color.match(/[\d.]+/g) ?? []).map(Number)
    : pixelOf(color);
  if (opacity < 0.5) return undefined;
  // Perceived brightness (ITU-R BT.601), half of 255.
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? 'dark' : 'light';
}

/** A canvas reads every notation of CSS, such as `oklch()`. Not the usual ones: some browsers falsify its pixels. */
function pixelOf(color: string): number[] {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  if (!context) return [0, 0, 0, 0];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, opacity = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, opacity / 255];
}
