// A chaos run: two browsers in one conversation send messages while a seed determines the injected faults. Then the
// faults end, and both transcripts are compared with the messages that the server has stored. The run waits for
// conditions, never for time: the clocks of the pages are advanced (`page.clock`).
import { ChatClient } from '../../src/client/index.ts';
import { preview } from '../../src/protocol/message.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import type { FaultProxy } from '../support/faults/fault-proxy.ts';
import { createSchedule, showSchedule } from '../support/faults/fault-schedule.ts';
import { expect } from '../support/fixtures.ts';
import { createRandom, type Random } from '../support/random.ts';
import type { PlatformServer } from '../support/server.ts';

export interface ChaosSetup {
  /** The server itself, without the proxy. */
  platform: PlatformServer;
  proxy: FaultProxy;
  /** The visitor's browser, with an open conversation. */
  first: ChatPage;
  /** Another browser in the same conversation. */
  second: ChatPage;
  /** Whether the server may be killed. */
  mayKill?: boolean;
}

export interface ChaosResult {
  /** The number of messages that were sent in one of the browsers. */
  sent: number;
  /** Messages that the server has not stored, or that a browser does not show. */
  lost: string[];
  /** Messages that the server has stored more than once, or that a browser shows more than once. */
  duplicated: string[];
  messages: number;
  kills: number;
}

/** Browsers and server do not agree. The message describes how to repeat the run. */
export class ChaosError extends Error {
  readonly tally: ChaosResult;
  constructor(message: string, tally: ChaosResult, cause: unknown) {
    super(message, { cause });
    this.tally = tally;
  }
}

/** @throws ChaosError when browsers and server do not agree in the end. */
export async function runChaos(seed: number, stage: ChaosSetup): Promise<ChaosResult> {
  const { proxy, platform, first, second } = stage;
  const random = createRandom(seed);
  const rules = createSchedule(random, 12);
  const sentTexts: string[] = [];
  const actionLog: string[] = [];
  let kills = 0;
  let count = 0;

  const { userKey, conversationId = '' } = await first.storedSession();
  const client = new ChatClient({ chatUrl: platform.chatUrl, userKey });
  const browsers = [first, second];
  const text = () => {
    const content = `s${seed}w${count++} said`;
    sentTexts.push(content);
    return content;
  };

  const storedTexts = async () =>
    (await client.list.messages({ conversationId }).collect())
      .reverse()
      .map(({ payload }) => plain(preview(payload)));
  const tally = async (): Promise<ChaosResult> => {
    const lists = [await storedTexts(), await shown(first), await shown(second)];
    const counts = (one: string) => lists.map((list) => list.filter((other) => other === one).length);
    return {
      sent: sentTexts.length,
      messages: lists[0]?.length ?? 0,
      lost: sentTexts.filter((one) => counts(one).includes(0)),
      duplicated: sentTexts.filter((one) => counts(one).some((count) => count > 1)),
      kills,
    };
  };

  const actions: Record<string, () => Promise<unknown>> = {
    write: () => first.send(text()),
    async writeMuch() {
      const texts = [text(), text(), text()];
      const codes = await first.page.evaluate(
        (list) =>
          Promise.all(
            list.map((one) => {
              const sent = (window.platform as Platform).sendMessage(one);
              const code = sent.then(
                () => '',
                (error: { code: string }) => error.code,
              );
              return Promise.race([code, new Promise<string>((resolve) => setTimeout(resolve, 0, ''))]);
            }),
          ),
        texts,
      );
      // Before the chat is ready the call is rejected, and nothing is sent.
      for (const [i, code] of codes.entries()) {
        if (code === 'not_ready') sentTexts.splice(sentTexts.indexOf(texts[i] ?? ''), 1);
      }
    },
    writeInSecond: () => second.send(text()),
    async writeElsewhere() {
      const payload = { type: 'text' as const, text: `s${seed} elsewhere ${actionLog.length}` };
      await client.createMessage({ conversationId, payload });
    },
    async askForStream() {
      const order = JSON.stringify({ stream: ['one ', 'two ', 'three ', `s${seed}d${actionLog.length}`] });
      await client.createMessage({ conversationId, payload: { type: 'text', text: order } });
    },
    cut: async () => proxy.cutStreams(),
    silence: async () => proxy.silenceStreams(),
    async offline() {
      await first.page.context().setOffline(true);
      await first.send(text());
      await frames(first, random);
      await first.page.context().setOffline(false);
    },
    async reload() {
      await first.page.reload();
      await first.launcher.click();
      await expect(first.input).toBeEditable();
    },
    async kill() {
      if (stage.mayKill === false || kills > 0) return;
      kills++;
      await platform.kill();
      await first.send(text());
      await platform.start();
    },
    time: () => random.pick([first, second]).page.clock.fastForward(1_000 + random.below(20_000)),
  };
  const often = ['write', 'write', 'write', 'writeMuch', 'writeInSecond', 'writeElsewhere', 'time'] as const;
  const rarely = ['askForStream', 'cut', 'cut', 'silence', 'offline', 'reload', 'kill'] as const;

  try {
    proxy.load(rules);
    for (let i = 0; i < 14; i++) {
      const name = random.below(3) < 2 ? random.pick(often) : random.pick(rarely);
      actionLog.push(name);
      await actions[name]?.();
      await frames(first, random);
    }
    proxy.clear();
    await expect(async () => {
      for (const browser of browsers) await wait(browser);
      const stored = await storedTexts();
      for (const browser of browsers) expect(await shown(browser)).toEqual(stored);
      expect(sentTexts.filter((one) => !stored.includes(one))).toEqual([]);
    }, 'all that was typed is stored, and both browsers show it in the order of the server').toPass({
      timeout: 30_000,
      intervals: [50],
    });
    const result = await tally();
    expect(result.duplicated, 'stored or shown more than once').toEqual([]);
    // The bot has answered each message once.
    const answers = (await storedTexts()).filter((one) => one.startsWith('received text'));
    expect(new Set(answers).size, 'answered once').toBe(answers.length);
    return result;
  } catch (error) {
    const title = `Chaos run with seed ${seed}. Repeat it: SEED=${seed} SCHEDULES=1 npx playwright test e2e/reliability/network-faults.spec.ts`;
    const injected = Object.entries(proxy.injected).filter(([, count]) => count > 0);
    const report = [
      title,
      actionLog.join(', '),
      showSchedule(rules),
      injected.map((one) => one.join(' ')).join(', '),
    ];
    throw new ChaosError(report.join('\n\n'), await tally(), error);
  }
}

/** Advances the page's clock, and retries a failed message as a visitor would. */
async function wait(browser: ChatPage): Promise<void> {
  await browser.page.clock.fastForward(5_000);
  const retry = browser.window.getByRole('button', { name: /^Try again: / }).first();
  if (await retry.isVisible()) await retry.click({ timeout: 2_000 }).catch(() => {});
}

/** Waits for some frames, so that started actions are in progress. */
async function frames({ page }: ChatPage, random: Random): Promise<void> {
  await page.evaluate(async (times) => {
    for (let i = 0; i < times; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, random.below(8));
}

/** The displayed messages, without aborted answers, which the server does not store. */
async function shown({ window }: ChatPage): Promise<string[]> {
  const rows = window.locator('.row[data-status]:not([data-status="aborted"]) :is(.text, .markdown)');
  return (await rows.allTextContents()).map(plain);
}

/** A text with normalized white space. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
