// The chat put on a page and taken away again, fifty times: what each life leaves behind.
import type { Platform } from '../../src/protocol/platform.ts';
import type { Case } from '../measure.ts';
import type { VisitPage } from '../visit.ts';

/** Lets the chat live so many times: begun, opened, all 50 messages drawn, destroyed. */
const live = ({ page }: VisitPage, times: number) =>
  page.evaluate(async (count) => {
    const holder = window as unknown as { kept?: Platform };
    holder.kept ??= window.platform as Platform;
    const platform = holder.kept;
    for (let i = 0; i < count; i++) {
      platform.init();
      platform.open();
      const started = performance.now();
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          if (window.gauge.root().querySelectorAll('.markdown > *').length >= 25) resolve();
          else if (performance.now() - started > 20_000) reject(new Error('Nothing was drawn.'));
          else setTimeout(look, 20);
        };
        look();
      });
      platform.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, times);

export const lifeCases: Case[] = [
  {
    name: 'init and destroy',
    times: 1,
    take: ({ inPage, visits }) =>
      inPage(async (visit) => {
        const stored = visits.get(50);
        if (stored) await visit.remember(stored);
        await live(visit, 5);
        const early = await visit.count();
        await live(visit, 45);
        const late = await visit.count();
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
