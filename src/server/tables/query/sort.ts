// Sorts many items by a comparison, and yields to the event loop in between.
import { createYielder } from '../../api/yielder.ts';

/** The number of items that are sorted or merged between two checks whether to yield. */
const piece = 500;

/** Returns the items in order in a new list. The sort is stable. */
export async function sortInPieces<T>(items: readonly T[], order: (a: T, b: T) => number): Promise<T[]> {
  const yielder = createYielder();
  const pause = async () => {
    if (yielder.shouldYield()) await yielder.yieldToEventLoop();
  };
  let sorted: T[] = [];
  for (let from = 0; from < items.length; from += piece) {
    for (const item of items.slice(from, from + piece).sort(order)) sorted.push(item);
    await pause();
  }
  for (let width = piece; width < items.length; width *= 2) {
    const wider: T[] = [];
    for (let from = 0; from < sorted.length; from += 2 * width) {
      let left = from;
      let right = Math.min(from + width, sorted.length);
      const [middle, end] = [right, Math.min(from + 2 * width, sorted.length)];
      while (left < middle || right < end) {
        // Both are defined when they are compared.
        const isLeft = right >= end || (left < middle && order(sorted[left] as T, sorted[right] as T) <= 0);
        wider.push(sorted[isLeft ? left++ : right++] as T);
        if (wider.length % piece === 0) await pause();
      }
    }
    sorted = wider;
  }
  return sorted;
}
