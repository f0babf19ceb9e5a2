// Tests that one of the visitor's tabs plays the sound of a message.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Notes that were started, in all tabs. */
let notes = 0;
const held = new Set<string>();

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  notes = 0;
  held.clear();
  class Context {
    currentTime = 0;
    destination = {};
    resume = async () => {};
    createOscillator = () => ({
      frequency: {},
      connect: (to: unknown) => to,
      start: () => void notes++,
      stop: () => {},
    });
    createGain = () => ({
      gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} },
      connect: () => {},
    });
  }
  vi.stubGlobal('AudioContext', Context);
  // jsdom has no locks.
  const request = async (
    name: string,
    _: object,
    use: (lock: object | null) => Promise<void> | undefined,
  ) => {
    if (held.has(name)) return use(null);
    held.add(name);
    await use({});
    held.delete(name);
  };
  vi.stubGlobal('navigator', { locks: { request } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Each import is a tab: a module with its own state. */
const openTab = async () => {
  vi.resetModules();
  return (await import('./notification-sound.ts')).playNotificationSound;
};

test('two tabs that receive the same message play its sound once', async () => {
  const [first, second] = [await openTab(), await openTab()];
  first('msg_1');
  second('msg_1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notes).toBe(2);
});

test('another message is played by the first tab', async () => {
  const [first, second] = [await openTab(), await openTab()];
  first('msg_1');
  second('msg_2');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notes).toBe(4);
});

test('a tab in which the visitor has not clicked leaves the sound to another tab', async () => {
  const [first, second] = [await openTab(), await openTab()];
  vi.stubGlobal('navigator', { ...navigator, userActivation: { hasBeenActive: false } });
  first('msg_1');
  vi.stubGlobal('navigator', { ...navigator, userActivation: { hasBeenActive: true } });
  second('msg_1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notes).toBe(2);
});
