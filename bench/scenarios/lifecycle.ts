// Measures what fifty cycles of `init` and `destroy` leave behind: nodes, listeners and heap.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../chat-page.ts';
import type { Case } from '../measure.ts';

/** Repeats a cycle: init, open, wait until all 50 messages are rendered, destroy. */
const runCycles = ({ page }: ChatPage, times: number) =>
  page.evaluate(async (count) => {
    const holder = window as unknown as { kept?: Platform };
    holder.kept ??= window.platform as Platform;
    const platform = holder.kept;
    for (let i = 0; i < count; i++) {
      platform.init();
      platform.open();
      const started = performance.now();
      await new Promise<void>((resolve, reject) => {
        const check = () => {
          if (window.sampler.root().querySelectorAll('.markdown > *').length >= 25) resolve();
          else if (performance.now() - started > 20_000) reject(new Error('Nothing was rendered.'));
          else setTimeout(check, 20);
        };
        check();
      });
      platform.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, times);

export const lifecycleCases: Case[] = [
  {
    name: 'init and destroy',
    times: 1,
    run: ({ inPage, sessions }) =>
      inPage(async (chatPage) => {
        const stored = sessions.get(50);
        if (stored) await chatPage.restoreSession(stored);
        await runCycles(chatPage, 5);
        const early = await chatPage.count();
        await runCycles(chatPage, 45);
        const late = await chatPage.count();
        return {
          'nodes after 5': [early.nodes, ''],
          'nodes after 50': [late.nodes, ''],
          'listeners after 5': [early.listeners, ''],
          'listeners after 50': [late.listeners, ''],
          'heap after 5': [early.heap / 1_000, 'KB'],
          'heap after 50': [late.heap / 1_000, 'KB'],
        };
      }),
  },
];
