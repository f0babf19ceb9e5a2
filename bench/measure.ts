// Runs the cases of all scenarios several times, each time in a new page, and returns the median of each value.
import type { Browser } from '@playwright/test';
import { type HostSite, pageHtml, strictCsp } from '../e2e/support/host-page.ts';
import type { PlatformServer } from '../e2e/support/server.ts';
import { ChatPage } from './chat-page.ts';
import type { SeededSession } from './seed-data.ts';

/** More is better of `/s` (a rate) and of `hits`; of all others less is better. */
export type Unit = 'ms' | 'B' | 'KB' | '' | '/s' | 'hits';

/**
 * A measured value. `floor` is the same value of the least that does the same work, measured in the same run: durations are
 * compared by their ratio to it, because machines differ.
 */
export type Measured = readonly [value: number, unit: Unit, floor?: number];
export type Values = Record<string, Measured>;

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
  floor?: number;
  /** The median of the ratios of the runs. */
  ratio?: number;
}

export interface PageOptions {
  prefetch?: boolean;
  script?: string;
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
   * @param options.script replaces the script tag of the chat: '' for an empty page, or a floor (floor.ts).
   */
  inPage<T>(use: (chatPage: ChatPage) => Promise<T>, options?: PageOptions): Promise<T>;
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
    async inPage(use, { prefetch = false, script } = {}) {
      const context = await browser.newContext();
      const chatPageUrl = prefetch ? prefetchUrl : plainUrl;
      // Without a policy, because a floor assigns HTML.
      const url = script === undefined ? chatPageUrl : site.page('/floor', pageHtml(script), {});
      try {
        return await use(await ChatPage.load(context, url, platform.chatUrl));
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
    Object.keys(values[0] ?? {}).map((name) =>
      resultOf(
        `${one.name}: ${name}`,
        values.map((some) => some[name]),
      ),
    ),
  );
}

function resultOf(name: string, runs: (Measured | undefined)[]): Result {
  const measured = runs.filter((run) => run !== undefined);
  const floors = measured.flatMap(([value, , floor]) =>
    floor === undefined ? [] : [{ floor, ratio: value / floor }],
  );
  return {
    name,
    value: median(measured.map(([value]) => value)),
    unit: measured[0]?.[1] ?? '',
    ...(floors.length && {
      floor: median(floors.map(({ floor }) => floor)),
      ratio: median(floors.map(({ ratio }) => ratio)),
    }),
  };
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 ? high : (low + high) / 2;
}
