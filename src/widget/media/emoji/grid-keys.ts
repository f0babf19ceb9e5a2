// The arrow keys in a grid or a row of controls.

/** Emoji in a row of the grid: 32 pixels each in a window of 320. */
export const columns = 8;

/**
 * The index of the control that a key leads to, in rows of `width`; at an edge it stays. Home and End lead to the edges of
 * the row, with Ctrl to those of all. undefined: another key.
 */
export function indexAfter(
  event: KeyboardEvent,
  index: number,
  count: number,
  width: number,
): number | undefined {
  const isRtl = getComputedStyle(event.currentTarget as Element).direction === 'rtl';
  const forward = isRtl ? -1 : 1;
  const start = event.ctrlKey ? 0 : index - (index % width);
  const end = event.ctrlKey ? count : Math.min(start + width, count);
  const next = {
    ArrowRight: index + forward,
    ArrowLeft: index - forward,
    ArrowDown: index + width,
    ArrowUp: index - width,
    Home: start,
    End: end - 1,
  }[event.key];
  if (next === undefined) return undefined;
  event.preventDefault();
  return next >= 0 && next < count ? next : index;
}
