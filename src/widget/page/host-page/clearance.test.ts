// Tests where the launcher goes among elements of the page and other launchers.
import { describe, expect, test } from 'vitest';
import { clearance, type Rect } from './clearance.ts';

const rect = (left: number, top: number, width: number, height: number): Rect => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const page = { width: 1000, height: 800 };
/** In the lower right corner, 20 pixels from the edges. */
const home = rect(924, 724, 56, 56);
const find = (obstacles: Rect[], launchers: Rect[] = [], own = home) =>
  clearance({ home: own, obstacles, launchers, ...page });

describe('elements of the page', () => {
  test('without elements in its place the launcher does not move', () => {
    expect(find([])).toEqual({ x: 0, y: 0 });
    expect(find([rect(0, 700, 800, 100), rect(900, 0, 100, 500)])).toEqual({ x: 0, y: 0 });
  });

  test('a bar at the bottom raises it to 12 pixels above the bar', () => {
    expect(find([rect(0, 740, 1000, 60)])).toEqual({ x: 0, y: -52 });
  });

  test('a banner above a bar raises it above both, in any order', () => {
    const [bar, banner] = [rect(0, 740, 1000, 60), rect(0, 600, 1000, 140)];
    expect(find([bar, banner])).toEqual({ x: 0, y: -192 });
    expect(find([banner, bar])).toEqual({ x: 0, y: -192 });
  });

  test('an element that needs more than 40 % of the height is ignored, and others still count', () => {
    const all = rect(0, 0, 1000, 800);
    expect(find([all])).toEqual({ x: 0, y: 0 });
    expect(find([all, rect(0, 740, 1000, 60)])).toEqual({ x: 0, y: -52 });
    expect(find([rect(0, 440, 1000, 360)])).toEqual({ x: 0, y: 0 });
    expect(find([rect(0, 480, 1000, 320)])).toEqual({ x: 0, y: -312 });
  });

  test('elements without a size, outside of the page or with fractions of pixels do no harm', () => {
    expect(find([rect(950, 750, 0, 0)]).x).toBe(0);
    expect(find([rect(0, 900, 1000, 60), rect(-2000, 700, 500, 100)])).toEqual({ x: 0, y: 0 });
    expect(find([rect(0, 739.6, 1000, 60.4)])).toEqual({ x: 0, y: -52 });
  });

  test('the open window is kept clear too, where the launcher alone would be', () => {
    const obstacle = rect(600, 740, 200, 60);
    const window = rect(580, 724, 400, 56);
    expect(find([obstacle])).toEqual({ x: 0, y: 0 });
    expect(clearance({ home, window, obstacles: [obstacle], launchers: [], ...page })).toEqual({
      x: 0,
      y: -52,
    });
  });
});

describe('other launchers', () => {
  test('the later launcher is beside the earlier one, away from the edge', () => {
    expect(find([], [home])).toEqual({ x: -68, y: 0 });
    const left = rect(20, 724, 56, 56);
    expect(find([], [left], left)).toEqual({ x: 68, y: 0 });
  });

  test('the third is beside the second, and one that is elsewhere does not count', () => {
    expect(find([], [home, rect(856, 724, 56, 56)])).toEqual({ x: -136, y: 0 });
    expect(find([], [rect(20, 724, 56, 56)])).toEqual({ x: 0, y: 0 });
  });

  test('a free place between two launchers is used', () => {
    expect(find([], [home, rect(780, 724, 56, 56)])).toEqual({ x: -68, y: 0 });
  });

  test('both are above a bar, side by side', () => {
    const bar = rect(0, 740, 1000, 60);
    expect(find([bar], [rect(924, 672, 56, 56)])).toEqual({ x: -68, y: -52 });
  });

  test('without room next to them the launcher stays', () => {
    const wall = [...Array(20)].map((_, i) => rect(924 - i * 50, 724, 56, 56));
    expect(find([], wall)).toEqual({ x: 0, y: 0 });
  });
});
