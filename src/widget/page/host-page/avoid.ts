// Keeps the launcher and the window clear of elements of the page (`avoid`), and of the launchers of other chats. It reads
// places from an IntersectionObserver, after the layout of a frame, and moves by `translate`: it never forces a layout.
import { platformError } from '../../../protocol/error.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { clearance, moved, type Rect, type Shift } from './clearance.ts';

/** Milliseconds between two measurements, so that a page that changes all the time costs little. */
const delayMs = 100;
/** The most elements that are watched: a selector such as `*` would watch the whole page. */
const maxElements = 100;
/** Pixels at the end of the window that an element of the page must not cover. */
const composerHeight = 56;
const still: Shift = { x: 0, y: 0 };
/** Events after which an element may have appeared, moved or vanished. */
const ownAttributes = ['class', 'style', 'hidden', 'aria-hidden', 'open'];
/** Fractions of an element that are visible, at which its place is read while it slides into the page. */
const thresholds = [...Array(21)].map((_, step) => step / 20);

const keepers = new WeakMap<Widget, ReturnType<typeof createKeeper>>();
/** Where each launcher was moved to, for the chats that come later. */
const shifts = new WeakMap<Element, Shift>();

/** Follows the elements of the page that match `selector`, and other chats. Called again after each change. */
export function keepClear(widget: Widget, selector = ''): void {
  const keeper = keepers.get(widget) ?? createKeeper(widget);
  keepers.set(widget, keeper);
  keeper.follow(selector);
}

function createKeeper(widget: Widget) {
  const { box, frame, signal } = widget;
  const { host } = box.getRootNode() as ShadowRoot;
  const launcher = box.querySelector('.launcher') as HTMLElement;
  let selector = '';
  let timer = 0;
  let measuredAt = -delayMs;
  /** The visible elements that match, and their places. */
  const places = new Map<Element, Rect>();
  /** All elements that match. */
  let elements: Element[] = [];

  const changes = new MutationObserver(schedule);
  const sizes = window.ResizeObserver && new ResizeObserver(schedule);
  const visibility =
    window.IntersectionObserver &&
    new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          if (target !== launcher && isIntersecting && isSeen(target)) places.set(target, boundingClientRect);
          else places.delete(target);
        }
        place();
      },
      { threshold: thresholds },
    );
  addEventListener('resize', schedule, { passive: true, signal });
  for (const type of ['transitionend', 'animationend']) {
    addEventListener(type, () => selector && schedule(), { passive: true, signal });
  }
  for (const type of ['webchat:opened', 'webchat:closed']) {
    signal.addEventListener('abort', widget.on(type, schedule));
  }
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    changes.disconnect();
    sizes?.disconnect();
    visibility?.disconnect();
  });

  /** Measures soon, unless that is planned. */
  function schedule(): void {
    timer ||= window.setTimeout(measure, Math.max(0, measuredAt + delayMs - performance.now()));
  }

  function measure(): void {
    timer = 0;
    measuredAt = performance.now();
    const before = elements;
    elements = selector ? [...document.querySelectorAll(selector)].slice(0, maxElements) : [];
    for (const element of before) {
      if (elements.includes(element)) continue;
      sizes?.unobserve(element);
      places.delete(element);
    }
    // Again for all: each observed element is reported once, with its place.
    visibility?.disconnect();
    for (const element of elements) {
      visibility?.observe(element);
      // A size that is observed again is reported again.
      if (!before.includes(element)) sizes?.observe(element);
    }
    // So that there is a report, and with it a place, also without elements.
    visibility?.observe(launcher);
    watch();
  }

  function watch(): void {
    changes.disconnect();
    changes.observe(document.documentElement, {
      childList: true,
      ...(selector && { subtree: true, attributeFilter: attributesOf(selector) }),
    });
    for (const element of elements) {
      // A second call for <html> would replace the first one.
      if (element !== document.documentElement) changes.observe(element, { attributeFilter: ownAttributes });
    }
    for (const other of earlier()) {
      for (const element of [other, windowOf(other)])
        changes.observe(element, { attributeFilter: ['hidden'] });
      if (other.parentElement)
        changes.observe(other.parentElement, { attributeFilter: ['style', 'data-size'] });
    }
  }

  /** The launchers of the chats that are earlier in the page. */
  function earlier(): HTMLElement[] {
    const hosts = [...document.querySelectorAll<Element>('html > platform-webchat')];
    return hosts
      .slice(0, hosts.indexOf(host))
      .flatMap(({ shadowRoot }) => shadowRoot?.querySelector<HTMLElement>('.launcher') ?? []);
  }

  function place(): void {
    if (signal.aborted) return;
    const { innerWidth: width, innerHeight: height } = window;
    const open = widget.isOpen ? homeOf(frame) : undefined;
    // A window that fills the screen has no other place.
    const floating = open && open.right - open.left < width ? open : undefined;
    const own = homeOf(launcher);
    // Without a launcher the end of the window, with the composer, is kept clear.
    const home = own ?? (floating && { ...floating, top: floating.bottom - composerHeight });
    const others = earlier();
    // The window of another chat that fills the screen of a phone.
    const isCovered = others.some((other) => {
      const { left = 0, right = 0 } = homeOf(windowOf(other)) ?? {};
      return right - left >= width;
    });
    box.toggleAttribute('data-covered', isCovered);
    const taken = others.flatMap((other) => {
      const rect = homeOf(other);
      // A docked window is as high as the page, so that there is no room below it for another launcher.
      const isDocked = other.parentElement?.getAttribute('data-size') === 'docked';
      return [
        rect && moved(rect, shifts.get(other) ?? still),
        isDocked && !isCovered && homeOf(windowOf(other)),
      ].flatMap((place) => place || []);
    });
    const shift = home
      ? clearance({
          home,
          window: floating && { ...floating, top: home.top },
          obstacles: [...places.values()],
          // Windows do not go aside.
          launchers: own ? taken : [],
          width,
          height,
        })
      : still;
    const { x, y } = shifts.get(launcher) ?? still;
    if (x === shift.x && y === shift.y) return;
    shifts.set(launcher, shift);
    box.style.setProperty('--aside', `${shift.x}px`);
    box.style.setProperty('--rise', `${shift.y}px`);
  }

  return {
    follow(next: string) {
      selector = isSelector(next, widget) ? next : '';
      schedule();
    },
  };
}

const windowOf = (launcher: HTMLElement) => launcher.previousElementSibling as HTMLElement;

/** Where the styles put an element of the chat, without `translate`; undefined if it is hidden. */
function homeOf(element: HTMLElement): Rect | undefined {
  const { offsetWidth: width, offsetHeight: height } = element;
  const style = getComputedStyle(element);
  const [left, top] = [Number.parseFloat(style.left), Number.parseFloat(style.top)];
  if (!width || !height) return undefined;
  return { left, top, right: left + width, bottom: top + height };
}

/** Whether the visitor sees an element that has a place. Old browsers cannot tell. */
const isSeen = (element: Element): boolean =>
  element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;

/** The attributes on which a selector depends. */
const attributesOf = (selector: string): string[] => [
  'class',
  'id',
  ...[...selector.matchAll(/\[\s*([\w-]+)/g)].flatMap(([, name = '']) => name),
];

/** The last wrong selector of each chat, which is reported once. */
const wrong = new WeakMap<Widget, string>();

function isSelector(selector: string, widget: Widget): boolean {
  try {
    if (selector) document.querySelector(selector);
    return true;
  } catch {
    const message = "Configuration: 'avoid' must be a selector.";
    if (wrong.get(widget) !== selector) {
      console.warn(`[platform] ${message}`);
      widget.emit('error', platformError('invalid_configuration', message));
    }
    wrong.set(widget, selector);
    return false;
  }
}
