// The size of the window: normal, expanded or docked to the side of the page, and what the visitor has changed by dragging
// its edges. Loaded only where one of these is configured, and not for an embedded chat.
import type { WindowSize } from '../../../protocol/page-api/configuration.ts';
import type { StoredWindow, Widget } from '../../launcher-chat-interface.ts';
import { createHandles } from './resize-handles.ts';
import css from './window-size.css?inline';

export interface SizeSettings {
  windowSize: WindowSize;
  expandable: boolean;
  dockable: boolean;
  resizable: boolean;
}

/** Where the window does not fill the screen: the opposite of the phones in launcher.css. */
const desktop = ['(min-width: 481px) and (min-height: 481px)', '(min-width: 961px)'];
/** Pixels. Below 360 the header of the window is lower (extras.css). */
const minSize = { width: 320, height: 360 };
/** Pixels of the page that a docked window leaves visible. */
const visiblePage = 120;
/** The custom properties of the lengths that the visitor has chosen. */
const properties = { width: '--width', height: '--height', dockWidth: '--dock-width' };

const updates = new WeakMap<Widget, (settings: SizeSettings) => void>();

/**
 * Applies the sizes that the site allows. Called again after each change of the configuration.
 * @param onChange is called when the window has another place or size.
 */
export function applySizes(widget: Widget, settings: SizeSettings, onChange: () => void): void {
  const update = updates.get(widget) ?? createSizing(widget, onChange);
  updates.set(widget, update);
  update(settings);
}

function createSizing(widget: Widget, onChange: () => void): (settings: SizeSettings) => void {
  const { box, frame, storage, signal } = widget;
  let settings: SizeSettings;
  /** The choice of the visitor. */
  let chosen: StoredWindow = {};
  let current: WindowSize = 'normal';
  const desktopQuery = matchMedia(desktop.join());
  const dockSheet = new CSSStyleSheet();
  const removeSheet = () => {
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== dockSheet);
    // Only if there is a change: it makes the browser compute all styles of the page again.
    if (others.length < document.adoptedStyleSheets.length) document.adoptedStyleSheets = others;
  };
  signal.addEventListener('abort', removeSheet);

  const sizes = (): WindowSize[] => {
    const { windowSize, expandable, dockable } = settings;
    const others = { expanded: expandable, docked: dockable };
    const allowed: WindowSize[] = ['normal', 'expanded', 'docked'];
    // The normal size is the way back from the others.
    return allowed.filter(
      (size) => size === windowSize || (size === 'normal' ? expandable || dockable : others[size]),
    );
  };
  const isLeft = () => getComputedStyle(box).getPropertyValue('--left') !== '';

  /** Sets what the styles need (window-size.css). */
  const show = () => {
    const { size, ...lengths } = chosen;
    current = size && sizes().includes(size) ? size : settings.windowSize;
    box.setAttribute('data-size', current);
    box.toggleAttribute('data-left', isLeft());
    for (const [name, property] of Object.entries(properties)) {
      const length = settings.resizable && lengths[name as keyof typeof lengths];
      box.style.setProperty(property, length ? `${length}px` : '');
    }
  };

  /** Publishes the width that a docked window covers, as a CSS property. The page's styles decide whether it makes room. */
  const publishDock = () => {
    const isDocked = widget.isOpen && current === 'docked';
    const width = box.style.getPropertyValue(properties.dockWidth) || '420px';
    const name = `--pw-dock-${isLeft() ? 'left' : 'right'}`;
    const rule = `:root{${name}:min(${width},100vw - ${visiblePage}px)}`;
    dockSheet.replaceSync(isDocked ? `@media screen and ${desktop.join(',screen and ')}{${rule}}` : '');
    removeSheet();
    if (isDocked) document.adoptedStyleSheets = [...document.adoptedStyleSheets, dockSheet];
  };

  const update = () => {
    show();
    handles.update(widget.isOpen && settings.resizable);
    publishDock();
    onChange();
  };
  const keep = (change: StoredWindow) => {
    chosen = { ...chosen, ...change };
    update();
    storage.write({ window: chosen });
  };

  const handles = createHandles(widget, {
    isLeft,
    read() {
      const { width, height } = frame.getBoundingClientRect();
      const { left, right, bottom } = getComputedStyle(frame);
      const side = Number.parseFloat(isLeft() ? left : right);
      const rise = Number.parseFloat(box.style.getPropertyValue('--rise')) || 0;
      const isDocked = current === 'docked';
      return {
        width: { now: width, min: minSize.width, max: innerWidth - (isDocked ? visiblePage : side + 20) },
        height: {
          now: height,
          min: minSize.height,
          max: innerHeight - Number.parseFloat(bottom) - 20 + rise,
        },
      };
    },
    preview({ width, height }) {
      if (current === 'docked') chosen = { ...chosen, dockWidth: width };
      // An expanded window that is dragged has a size of its own.
      else chosen = { ...chosen, size: 'normal', width, height };
      show();
    },
    keep: () => keep({}),
    cancel() {
      read();
      update();
    },
    reset: () =>
      keep(current === 'docked' ? { dockWidth: undefined } : { width: undefined, height: undefined }),
  });

  /** Reads the choice of this device, which another tab may have changed. */
  const read = () => {
    chosen = readWindow(storage.read().window);
  };
  const onOpenedOrClosed = () => {
    // First: it keeps the size of a drag that is not finished.
    if (!widget.isOpen) handles.update(false);
    read();
    update();
  };
  for (const type of ['webchat:opened', 'webchat:closed'])
    signal.addEventListener('abort', widget.on(type, onOpenedOrClosed));

  widget.sizing = {
    get choices() {
      return desktopQuery.matches ? sizes().filter((size) => size !== current) : [];
    },
    choose: (size) => keep({ size }),
  };

  return (next) => {
    settings = next;
    widget.adopt('window-size', css);
    onOpenedOrClosed();
  };
}

/** The valid parts of the record, which other code of the page may have changed. */
function readWindow(stored: unknown): StoredWindow {
  const { size, width, height, dockWidth } = Object(stored) as StoredWindow;
  const length = (value: unknown, min: number) =>
    Number.isFinite(value) && (value as number) >= min ? (value as number) : undefined;
  return {
    size,
    width: length(width, minSize.width),
    height: length(height, minSize.height),
    dockWidth: length(dockWidth, minSize.width),
  };
}
