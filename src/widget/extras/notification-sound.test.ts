// Tests that one of the visitor's tabs plays the sound of a message.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** Notes that were started, in all tabs. */
let notes = 0;
const held = new Set<string>();

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  notes = 0;
  held.clear();
  class Context {
    get currentTime() {
      return Date.now() / 1_000;
    }
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

describe('on a page without locks', () => {
  /** The open channels by name, and the messages that were posted and not delivered yet. */
  let channels: Channel[] = [];
  let posted: (() => void)[] = [];
  class Channel {
    onmessage: ((event: { data: unknown }) => void) | undefined;
    readonly name: string;
    constructor(name: string) {
      this.name = name;
      channels.push(this);
    }
    postMessage(data: unknown) {
      const others = channels.filter((channel) => channel !== this && channel.name === this.name);
      posted.push(() => {
        for (const other of others) if (channels.includes(other)) other.onmessage?.({ data });
      });
    }
    close() {
      channels = channels.filter((channel) => channel !== this);
    }
  }
  const deliver = () => {
    while (posted.length > 0) posted.shift()?.();
  };
  const state = { visibilityState: 'visible' };
  beforeEach(() => {
    channels = [];
    posted = [];
    state.visibilityState = 'visible';
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('document', state);
    vi.stubGlobal('BroadcastChannel', Channel);
  });

  test.each([2, 3])(
    'of %d visible tabs that receive a message at once, one plays its sound',
    async (count) => {
      const tabs = [];
      for (let i = 0; i < count; i++) tabs.push(await openTab());
      for (const play of tabs) play('msg_1');
      deliver();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(notes).toBe(2);
      expect(channels).toEqual([]);
    },
  );

  test('a single tab plays each sound, also while it is hidden', async () => {
    const play = await openTab();
    play('msg_1');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(2);
    state.visibilityState = 'hidden';
    play('msg_2');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(4);
  });

  test('a tab that receives the message after another one has played its sound does not play it', async () => {
    // Whichever has the lower rank.
    const [first, second] = [await openTab(), await openTab()];
    first('msg_1');
    await vi.advanceTimersByTimeAsync(1_000);
    second('msg_1');
    deliver();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(notes).toBe(2);
    second('msg_2');
    await vi.advanceTimersByTimeAsync(1_000);
    first('msg_2');
    deliver();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(4);
  });

  test('a visible tab is preferred to a hidden one, whose timers are slow', async () => {
    for (let i = 0; i < 8; i++) {
      const [hidden, visible] = [await openTab(), await openTab()];
      state.visibilityState = 'hidden';
      hidden(`msg_${i}`);
      state.visibilityState = 'visible';
      visible(`msg_${i}`);
      // The hidden one has lost as soon as it has heard of the other: one channel is left.
      deliver();
      expect(channels).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(notes).toBe(2 * (i + 1));
    }
  });

  test('a tab in which the visitor has not clicked does not take part', async () => {
    const [first, second] = [await openTab(), await openTab()];
    vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } });
    first('msg_1');
    expect(channels).toEqual([]);
    vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } });
    second('msg_1');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(2);
  });

  test('several messages at once have one sound, in whichever tabs they arrive', async () => {
    const tabs = [await openTab(), await openTab()];
    for (const id of ['msg_1', 'msg_2', 'msg_3']) for (const play of tabs) play(id);
    deliver();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(2);
  });

  test('the same election decides in a frame in which locks are refused', async () => {
    const request = () => Promise.reject(new DOMException('', 'SecurityError'));
    vi.stubGlobal('navigator', { locks: { request } });
    const [first, second] = [await openTab(), await openTab()];
    first('msg_1');
    second('msg_1');
    await vi.advanceTimersByTimeAsync(0);
    deliver();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(2);
  });

  test('without BroadcastChannel a hidden tab stays silent', async () => {
    vi.stubGlobal('BroadcastChannel', undefined);
    const play = await openTab();
    play('msg_1');
    state.visibilityState = 'hidden';
    play('msg_2');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(notes).toBe(2);
  });
});
