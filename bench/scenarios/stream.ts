// Measures a streamed answer of 20,000 characters: the cost of each half, smoothness, and delay. The floor is the same window
// without the code of the chat, in which the pieces become plain text, once in each frame.
import { type ChatPage, deltaMs, deltas } from '../chat-page.ts';
import { floorScript, takeSnapshot } from '../floor.ts';
import type { Case, Environment } from '../measure.ts';
import { cut, shapes } from '../texts.ts';
import type { Work } from '../trace.ts';

/** Steps and sources of the answer with parts. */
const steps = 15;
const sources = 5;

/** The pieces of the mixed text. */
export const pieces = cut(shapes.mixed ?? '', deltas);

/** Lets the text of the first message grow by the pieces, and keeps its end in view. */
const grow = ({ page }: ChatPage) =>
  page.evaluate(
    ([texts, interval]) =>
      new Promise<void>((resolve) => {
        const root = window.sampler.root();
        const viewport = root.querySelector('.viewport') as HTMLElement;
        const text = root.querySelector('.row[data-side="bot"] .bubble')?.firstChild as HTMLElement;
        const begin = performance.now();
        let shown = 0;
        const draw = () => {
          const due = Math.min(texts.length, Math.floor((performance.now() - begin) / interval));
          text.append(texts.slice(shown, due).join(''));
          viewport.scrollTop = viewport.scrollHeight;
          shown = due;
          if (shown < texts.length) requestAnimationFrame(draw);
          else setTimeout(resolve, 500);
        };
        draw();
      }),
    [pieces, deltaMs] as const,
  );

const floors = new Map<number, Promise<Work>>();

/** The floor of every answer, because each lasts as long: measured once. */
function floorOf({ inPage }: Environment, slowness: number): Promise<Work> {
  const measure = async () => {
    const snapshot = await inPage(async (chatPage) => {
      await chatPage.prepare(1);
      return takeSnapshot(chatPage.page);
    });
    return inPage(
      async (chatPage) => {
        await chatPage.throttle(slowness);
        const { timeline } = await chatPage.measure(() => grow(chatPage));
        return timeline.between('begin', 'end');
      },
      { script: floorScript(snapshot) },
    );
  };
  const floor = floors.get(slowness) ?? measure();
  floors.set(slowness, floor);
  return floor;
}

/** Streams an answer into the open window of the page. */
export async function stream(environment: Environment, chatPage: ChatPage, script: unknown[], slowness = 1) {
  const { timeline, seen } = await chatPage.measure(async () => {
    await chatPage.instruct({ stream: script, interval: deltaMs });
    await chatPage.page.evaluate(() => window.sampler.settleStream());
  });
  const [firstHalf, secondHalf] = [timeline.between('first', 'half'), timeline.between('half', 'complete')];
  const all = timeline.between('first', 'end');
  const floor = await floorOf(environment, slowness);
  const { reads } = await chatPage.page.evaluate(() => ({ ...window.sampler }));
  return {
    'main thread': [all.main, 'ms', floor.main],
    'longest task': [all.longest, 'ms', floor.longest],
    'second half': [secondHalf.main, 'ms', firstHalf.main],
    'late frames': [seen.late, ''],
    'blocks drawn': [reads, ''],
    'longest pause': [seen.still, 'ms'],
    'drawn after the end': [seen.finish, 'ms'],
  } as const;
}

const fresh = (shape: string, slowness: number, times: number): Case => ({
  name: `stream ${shape}${slowness > 1 ? `, CPU ${slowness} times slower` : ''}`,
  times,
  run: (environment) =>
    environment.inPage(async (chatPage) => {
      await chatPage.prepare(1);
      await chatPage.throttle(slowness);
      return stream(environment, chatPage, cut(shapes[shape] ?? '', deltas), slowness);
    }),
});

/** The mixed text, with 15 steps and 5 sources between its pieces. */
const withParts: Case = {
  name: 'stream mixed with parts',
  times: 1,
  run: (environment) =>
    environment.inPage(async (chatPage) => {
      await chatPage.prepare(1);
      const texts = cut(shapes.mixed ?? '', deltas - 2 * steps - sources);
      const script: unknown[] = [...texts];
      for (let i = steps - 1; i >= 0; i--) {
        const at = Math.floor((i * texts.length) / steps);
        script.splice(
          at,
          0,
          { tool: { name: `t${i}`, title: `Step ${i}`, input: { i } } },
          { done: `t${i}` },
        );
      }
      for (let i = 0; i < sources; i++) script.unshift({ source: { title: `Source ${i}` } });
      return stream(environment, chatPage, script);
    }),
};

export const streamCases: Case[] = [
  fresh('mixed', 1, 2),
  ...Object.keys(shapes)
    .filter((shape) => shape !== 'mixed')
    .map((shape) => fresh(shape, 1, 1)),
  fresh('mixed', 4, 1),
  withParts,
];
