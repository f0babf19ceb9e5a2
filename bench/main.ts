// Runs the measures: one server with long conversations in it, one browser, one table. The process ends with 1 when a
// budget is broken; durations are shown and never judged. Imported by run.mjs, which knows how to read TypeScript.
import { chromium } from '@playwright/test';
import { startHostSite } from '../e2e/support/host-page.ts';
import { startPlatform } from '../e2e/support/server.ts';
import config from '../playwright.config.ts';
import { judge } from './budgets.ts';
import { fill } from './fill.ts';
import { createStage, takeAll } from './measure.ts';
import { bytesCases } from './scenarios/bytes.ts';
import { lifeCases } from './scenarios/life.ts';
import { openCases } from './scenarios/open.ts';
import { scrollCases } from './scenarios/scroll.ts';
import { streamCases } from './scenarios/stream.ts';
import { readLast, record, table, verdicts } from './table.ts';

/** Gives false when a budget is broken. `names`: only cases whose name holds one of these; all when there is none. */
async function main(names: readonly string[], isRecording: boolean): Promise<boolean> {
  const all = [...bytesCases, ...openCases, ...streamCases, ...scrollCases, ...lifeCases];
  const cases = names.length ? all.filter(({ name }) => names.some((part) => name.includes(part))) : all;
  if (!cases.length) throw new Error(`No measure has such a name. There are:\n${listed(all)}`);

  const platform = await startPlatform({ BOT: 'e2e/support/scripted-bot.js' });
  const site = await startHostSite();
  try {
    await platform.kill();
    const visits = await fill(platform.folder, [50, 1_000, 2_000, 5_000, 10_000]);
    await platform.start();
    // The same browser, started the same way, as in the end-to-end tests.
    const browser = await chromium.launch(config.use?.launchOptions ?? {});
    try {
      const results = await takeAll(cases, createStage(browser, platform, site, visits));
      console.log(table(results, await readLast()));
      const judged = judge(results);
      if (judged.length) console.log(`\n${verdicts(judged)}`);
      if (isRecording) await record(results, `Chromium ${browser.version()}`, names.length === 0);
      return judged.every(({ isKept }) => isKept);
    } finally {
      await browser.close();
    }
  } finally {
    await site.close();
    await platform.dispose();
  }
}

const listed = (cases: readonly { name: string }[]) => cases.map(({ name }) => `  ${name}`).join('\n');

const options = process.argv.slice(2);
const names = options.filter((option) => !option.startsWith('-'));
process.exitCode = (await main(names, options.includes('--record'))) ? 0 : 1;
