// Measures opening the window for a new visitor and for visitors with 50 and 10,000 stored messages. Nothing is loaded before, so
// fetching and compiling the files is included.
import type { ChatPage } from '../chat-page.ts';
import { besideFloor } from '../floor.ts';
import type { Case } from '../measure.ts';

async function measure(chatPage: ChatPage, work: () => Promise<unknown>) {
  const { timeline, seen } = await chatPage.measure(work);
  return { ...timeline.between('begin', 'end'), drawnAfter: seen.drawnAfter };
}

const open = (length: number, slowness: number, times: number): Case => ({
  name: `open with ${length.toLocaleString('en')} messages${slowness > 1 ? `, CPU ${slowness} times slower` : ''}`,
  times,
  async run(environment) {
    const rows = Math.min(length, 50) || 1;
    const [chat, floor] = await besideFloor(
      environment,
      {},
      async (chatPage) => {
        const stored = environment.sessions.get(length);
        if (stored) await chatPage.restoreSession(stored);
        await chatPage.throttle(slowness);
        return measure(chatPage, () => chatPage.open(rows));
      },
      async (chatPage) => {
        await chatPage.throttle(slowness);
        return measure(chatPage, () => chatPage.openFloor(rows));
      },
    );
    return {
      'main thread': [chat.main, 'ms', floor.main],
      'longest task': [chat.longest, 'ms', floor.longest],
      layout: [chat.layout, 'ms', floor.layout],
      'until drawn': [chat.drawnAfter, 'ms', floor.drawnAfter],
    };
  },
});

export const openCases: Case[] = [
  ...[0, 50, 10_000].map((length) => open(length, 1, 3)),
  ...[0, 10_000].map((length) => open(length, 4, 2)),
];
