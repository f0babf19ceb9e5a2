// Computes where the launcher goes so that it covers neither elements of the page nor the launchers of other chats. No DOM.

/** A place in the viewport, in pixels. */
export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How far something is moved from its place: `x` to the right, `y` downwards. */
export interface Shift {
  x: number;
  y: number;
}

/** Pixels between the launcher and what it is kept clear of. */
export const gap = 12;
/** The launcher is moved up by at most this part of the height of the viewport: an element that needs more is covered. */
const highest = 0.4;

interface Situation {
  /** The launcher where the configuration puts it. */
  home: Rect;
  /** The other area to keep clear: the open window, or nothing. It moves up like the launcher, and not aside. */
  window?: Rect | undefined;
  /** The elements of the page. */
  obstacles: readonly Rect[];
  /** The launchers of the chats that were there first. */
  launchers: readonly Rect[];
  width: number;
  height: number;
}

/** Moves the launcher up above the elements of the page, and aside from other launchers, whose windows are above them. */
export function clearance({ home, window, obstacles, launchers, width, height }: Situation): Shift {
  const isLeft = home.left + home.right < width;
  const asides = launchers
    .map(({ left, right }) => (isLeft ? right + gap - home.left : left - gap - home.right))
    .filter((x) => (isLeft ? x > 0 && home.right + x <= width : x < 0 && home.left + x >= 0))
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  for (const x of [0, ...asides]) {
    const y = rise([moved(home, { x, y: 0 }), ...(window ? [window] : [])], obstacles, height);
    if (!launchers.some((launcher) => overlaps(moved(home, { x, y }), launcher, gap - 1))) return { x, y };
  }
  // There is no room next to them.
  return { x: 0, y: rise([home], obstacles, height) };
}

/** The least shift upwards, as a number below 0, that clears all obstacles that can be cleared. */
function rise(own: readonly Rect[], obstacles: readonly Rect[], height: number): number {
  let y = 0;
  // From the bottom up: above one obstacle, the next one may be in the way.
  for (const obstacle of [...obstacles].sort((a, b) => b.bottom - a.bottom)) {
    for (const rect of own) {
      if (!overlaps(moved(rect, { x: 0, y }), obstacle, 0)) continue;
      const needed = obstacle.top - gap - rect.bottom;
      if (-needed <= height * highest) y = Math.min(y, needed);
    }
  }
  return Math.round(y);
}

export const moved = ({ left, top, right, bottom }: Rect, { x, y }: Shift): Rect => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
});

/** Whether two places overlap, or are nearer than `margin`. */
const overlaps = (a: Rect, b: Rect, margin: number): boolean =>
  a.left < b.right + margin &&
  b.left < a.right + margin &&
  a.top < b.bottom + margin &&
  b.top < a.bottom + margin;
