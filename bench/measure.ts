// Runs the cases of all scenarios several times, each time in a new page, and returns the median of each value.
import type { Browser } from '@playwright/test';
import { type HostSite, pageHtml, strictCsp } from '../e2e/support/host-page.ts';
import type { PlatformServer } from '../e2e/support/server.ts';
import { ChatPage } from './chat-page.ts';
import type { SeededSession } from './seed-data.ts';

export type Unit = 'ms' | 'B' | 'KB' | '';
export type Values = Record<string, readonly [value: number, unit: Unit]>;

export interface Case {
  name: string;
  /** Number of runs. */
  times: number;
  /** Whether it runs only when it is named. */
  isNamedOnly?: boolean;
  run(environment: Environment): Promise<Values>;
}

export interface Result {
  name: string;
  value: number;
  unit: Unit;
}

/** Environment of every case. */
export interface Environment {
  browser: Browser;
  platform: PlatformServer;
  /** Serves a page without a policy and with this body, and returns its address. */
  serve(path: string, body: string): string;
  /** Seeded sessions by the length of their conversation. */
  sessions: Map<number, SeededSession>;
  /**
   * Calls `use` with a page in a new browser context, which has no stored session. The code of the chat is loaded early
   * only if `prefetch` is true, so that it does not arrive in the middle of a measurement.
   */
  inPage<T>(use: (chatPage: ChatPage) => Promise<T>, options?: { prefetch?: boolean }): Promise<T>;
}

export function createEnvironment(
  browser: Browser,
  platform: PlatformServer,
  site: HostSite,
  sessions: Map<number, SeededSession>,
): Environment {
  const pageUrl = (path: string, prefetch: boolean) => {
    const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-prefetch="${prefetch}" async></script>`;
    return site.page(path, pageHtml(script), { 'content-security-policy': strictCsp(platform.url) });
  };
  const plainUrl = pageUrl('/', false);
  const prefetchUrl = pageUrl('/prefetch', true);
  return {
    browser,
    platform,
    sessions,
    serve: (path, body) => site.page(path, pageHtml(body), {}),
    async inPage(use, { prefetch = false } = {}) {
      const context = await browser.newContext();
      try {
        return await use(await ChatPage.load(context, prefetch ? prefetchUrl : plainUrl, platform.chatUrl));
      } finally {
        await context.close();
      }
    },
  };
}

/** Runs all cases in rounds, so that a busy moment of the machine does not affect all runs of one case. */
export async function runAll(cases: readonly Case[], environment: Environment): Promise<Result[]> {
  const valuesByCase = new Map<Case, Values[]>(cases.map((one) => [one, []]));
  for (let round = 0; round < Math.max(0, ...cases.map(({ times }) => times)); round++) {
    for (const [one, values] of valuesByCase) {
      if (round >= one.times) continue;
      process.stderr.write(`${one.name} (${round + 1} of ${one.times})\n`);
      values.push(await one.run(environment));
    }
  }
  return [...valuesByCase].flatMap(([one, values]) =>
    Object.entries(values[0] ?? {}).map(([name, [, unit]]) => ({
      name: `${one.name}: ${name}`,
      value: median(values.map((some) => some[name]?.[0] ?? Number.NaN)),
      unit,
    })),
  );
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 ? high : (low + high) / 2;
}
