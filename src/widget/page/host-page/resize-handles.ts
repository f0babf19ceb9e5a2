// The handles at the edges of the window: they resize it by dragging and by the arrow keys (ARIA pattern "window splitter").
import en from '../../../locales/en.json' with { type: 'json' };
import type { Widget } from '../../launcher-chat-interface.ts';

interface Range {
  now: number;
  min: number;
  max: number;
}

type Axis = 'width' | 'height';
type Lengths = { width: number; height: number };

interface HandleOptions {
  /** Whether the window is at the left side of the page, so that its right edge can be moved. */
  isLeft(): boolean;
  /** The present size of the window and its limits, in pixels. */
  read(): Record<Axis, Range>;
  /** Shows a size while it is being changed. */
  preview(lengths: Lengths): void;
  /** Keeps the size that is shown. */
  keep(): void;
  /** Returns to the size that was kept. */
  cancel(): void;
  /** Returns to the size of the configuration. */
  reset(): void;
}

export interface Handles {
  /** Shows or hides the handles. */
  update(isShown: boolean): void;
}

/** Pixels by which an arrow key moves an edge; with Shift five times as many. */
const step = 20;

/** Creates the handles in the box of the widget. Their listeners end with it. */
export function createHandles(widget: Widget, options: HandleOptions): Handles {
  const { box, frame } = widget;
  const { isLeft, read, preview, keep, cancel, reset } = options;
  /** Ends the present drag. */
  let finishDrag = () => {};
  const edges: Record<Axis, HTMLElement> = { width: makeHandle('width'), height: makeHandle('height') };
  // For the mouse only: each of its directions has a handle for the keyboard.
  const corner = makeHandle('corner');
  for (const axis of ['width', 'height'] as const) {
    const edge = edges[axis];
    edge.tabIndex = 0;
    edge.setAttribute('role', 'separator');
    edge.setAttribute('aria-orientation', axis === 'width' ? 'vertical' : 'horizontal');
    edge.setAttribute('aria-controls', frame.id);
    edge.addEventListener('focus', report);
    edge.addEventListener('keydown', (event) => onKey(event, axis));
  }
  for (const handle of [edges.height, edges.width, corner]) {
    handle.addEventListener('pointerdown', (event) => drag(event, handle));
    handle.addEventListener('dblclick', () => {
      reset();
      report();
    });
    // Before the window, so that the launcher stays next to it.
    box.insertBefore(handle, frame);
  }

  /** Sets the present size for assistive technology. */
  function report(): void {
    const ranges = read();
    const strings = widget.language.translate?.(en.widget.hostPage) ?? en.widget.hostPage;
    edges.width.setAttribute('aria-label', strings.windowWidth);
    edges.height.setAttribute('aria-label', strings.windowHeight);
    for (const axis of ['width', 'height'] as const) {
      const { now, min, max } = ranges[axis];
      const values = { now, min: Math.min(min, now), max: Math.max(max, now) };
      for (const [name, value] of Object.entries(values))
        edges[axis].setAttribute(`aria-value${name}`, String(Math.round(value)));
    }
  }

  /** Shows a size within the limits. */
  function resize(ranges: Record<Axis, Range>, change: Partial<Lengths>): void {
    const clamp = ({ now, min, max }: Range, by = 0) => Math.round(Math.max(min, Math.min(max, now + by)));
    preview({ width: clamp(ranges.width, change.width), height: clamp(ranges.height, change.height) });
  }

  function onKey(event: KeyboardEvent, axis: Axis): void {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey) return;
    // An arrow key moves the edge in its direction.
    const outwards = axis === 'height' ? 'ArrowUp' : isLeft() ? 'ArrowRight' : 'ArrowLeft';
    const inwards = axis === 'height' ? 'ArrowDown' : isLeft() ? 'ArrowLeft' : 'ArrowRight';
    const far = Number.MAX_SAFE_INTEGER;
    const by = { [outwards]: step, [inwards]: -step, Home: -far, End: far }[key];
    if (by !== undefined) {
      resize(read(), { [axis]: shiftKey ? by * 5 : by });
      keep();
    } else if (key === 'Enter') reset();
    else if (key === 'Escape') widget.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
    report();
  }

  function drag(event: PointerEvent, handle: HTMLElement): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const ranges = read();
    const { pointerId, clientX, clientY } = event;
    const dragging = new AbortController();
    const { signal } = dragging;
    let hasMoved = false;
    const finish = (isKept: boolean) => {
      finishDrag = () => {};
      dragging.abort();
      handle.removeAttribute('data-dragging');
      if (isKept && hasMoved) keep();
      else if (hasMoved) cancel();
      report();
    };
    finishDrag = () => finish(true);
    // Without the selection of text, and without the focus, which would show the outline of a keyboard.
    event.preventDefault();
    handle.setPointerCapture(pointerId);
    handle.setAttribute('data-dragging', '');
    handle.addEventListener(
      'pointermove',
      (moved: PointerEvent) => {
        if (moved.pointerId !== pointerId) return;
        const [x, y] = [moved.clientX - clientX, moved.clientY - clientY];
        hasMoved ||= Math.abs(x) + Math.abs(y) > 2;
        if (!hasMoved) return;
        resize(ranges, {
          ...(handle !== edges.height && { width: isLeft() ? x : -x }),
          ...(handle !== edges.width && { height: -y }),
        });
      },
      { signal },
    );
    handle.addEventListener('pointerup', () => finish(true), { signal });
    handle.addEventListener('lostpointercapture', () => finish(true), { signal });
    handle.addEventListener('pointercancel', () => finish(false), { signal });
    const onEscape = (pressed: KeyboardEvent) => {
      if (pressed.key !== 'Escape') return;
      pressed.preventDefault();
      pressed.stopPropagation();
      finish(false);
    };
    // Keys that are pressed in the chat do not reach the window (launcher/shield.ts).
    for (const place of [window, handle.getRootNode()])
      place.addEventListener('keydown', onEscape as EventListener, { capture: true, signal });
    widget.signal.addEventListener('abort', () => dragging.abort(), { signal });
  }

  return {
    update(isShown) {
      // Closing the window hides the handle, which would still have the pointer.
      if (!isShown) finishDrag();
      for (const handle of [edges.height, edges.width, corner]) handle.hidden = !isShown;
      if (isShown) report();
    },
  };
}

function makeHandle(name: string): HTMLElement {
  const handle = document.createElement('div');
  handle.className = `handle ${name}`;
  handle.part.add('handle');
  handle.hidden = true;
  return handle;
}
