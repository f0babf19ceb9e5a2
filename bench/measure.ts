// What a scenario is made of: cases, each taken several times in a fresh page, and the median of what they gave.
import type { Browser } from '@playwright/test';
import type { HostSite } from '../e2e/support/host-page.ts';
import { pageHtml, strictCsp } from '../e2e/support/host-page.ts';
import type { PlatformServer } from '../e2e/support/server.ts';
import type { Visit } from './fill.ts';
import { VisitPage } from './visit.ts';

export type Unit = 'ms' | 'B' | 'KB' | '';
export type Values = Record<string, readonly [value: number, unit: Unit]>;

export interface Case {
  name: string;
  /** How many times it is taken. */
  times: number;
  take(stage: Stage): Promise<Values>;
}

export interface Result {
  name: string;
  value: number;
  unit: Unit;
}

/** What every case plays on. */
export interface Stage {
  /** Conversations by their length. */
  visits: Map<number, Visit>;
  /** Has `use` do something in a fresh page of a browser that was never here. */
  inPage<T>(use: (visit: VisitPage) => Promise<T>): Promise<T>;
}

export function createStage(
  browser: Browser,
  platform: PlatformServer,
  site: HostSite,
  visits: Map<number, Visit>,
): Stage {
  const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`);
  const url = site.page('/', html, { 'content-security-policy': strictCsp(platform.url) });
  return {
    visits,
    async inPage(use) {
      const context = await browser.newContext();
      try {
        return await use(await VisitPage.load(context, url, platform.chatUrl));
      } finally {
        await context.close();
      }
    },
  };
}

/** Takes all cases, each in turn and then again, so that a busy moment of the machine does not hit one of them alone. */
export async function takeAll(cases: readonly Case[], stage: Stage): Promise<Result[]> {
  const taken = new Map<Case, Values[]>(cases.map((one) => [one, []]));
  for (let round = 0; round < Math.max(0, ...cases.map(({ times }) => times)); round++) {
    for (const [one, values] of taken) {
      if (round >= one.times) continue;
      process.stderr.write(`${one.name} (${round + 1} of ${one.times})\n`);
      values.push(await one.take(stage));
    }
  }
  return [...taken].flatMap(([one, values]) =>
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
