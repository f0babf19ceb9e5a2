// Runs the benchmark: starts one server with seeded conversations and one browser, and prints one table. The process
// exits with 1 when a budget is exceeded; durations are shown and never checked. Imported by run.mjs.
import { chromium } from '@playwright/test';
import { startHostSite } from '../e2e/support/host-page.ts';
import { startPlatform } from '../e2e/support/server.ts';
import config from '../playwright.config.ts';
import { findProgram } from '../scripts/browser.mjs';
import { checkBudgets } from './budgets.ts';
import { createEnvironment, runAll } from './measure.ts';
import { bytesCases } from './scenarios/bytes.ts';
import { clusterCases } from './scenarios/cluster.ts';
import { inboxCases } from './scenarios/inbox.ts';
import { knowledgeCases } from './scenarios/knowledge.ts';
import { openCases } from './scenarios/open.ts';
import { pageCases } from './scenarios/page.ts';
import { pageViewCases } from './scenarios/page-view.ts';
import { phoneCases } from './scenarios/phone.ts';
import { recoveryCases } from './scenarios/recovery.ts';
import { scrollCases } from './scenarios/scroll.ts';
import { streamCases } from './scenarios/stream.ts';
import { seedConversations } from './seed-data.ts';
import { readLast, record, table, verdicts, worseRows } from './table.ts';

/** Returns false when a budget is exceeded. @param names runs only the cases whose name contains one of these; all if empty. */
async function main(names: readonly string[], isRecording: boolean): Promise<boolean> {
  const all = [
    ...bytesCases,
    ...pageViewCases,
    ...openCases,
    ...phoneCases,
    ...pageCases,
    ...streamCases,
    ...scrollCases,
    ...inboxCases,
    ...knowledgeCases,
    ...clusterCases,
    ...recoveryCases,
  ];
  const cases = all.filter(({ name, isNamedOnly }) =>
    names.length ? names.some((part) => name.includes(part)) : !isNamedOnly,
  );
  if (!cases.length) throw new Error(`No case has this name. Available:\n${listed(all)}`);

  const platform = await startPlatform({ BOT: 'e2e/support/bots/scripted-bot.js' });
  const site = await startHostSite();
  try {
    await platform.kill();
    const sessions = await seedConversations(platform.folder, [50, 1_000, 2_000, 10_000]);
    await platform.start();
    // Started as in the end-to-end tests, but with windows, as visitors use it.
    const executablePath = findProgram('chromium');
    const browser = await chromium.launch({
      ...config.use?.launchOptions,
      ...(executablePath && { executablePath }),
    });
    try {
      const results = await runAll(cases, createEnvironment(browser, platform, site, sessions));
      const last = await readLast();
      const checked = checkBudgets(results);
      const parts = [table(results, last), checked.length ? verdicts(checked) : '', worseRows(results, last)];
      console.log(parts.filter(Boolean).join('\n\n'));
      if (isRecording) await record(results, `Chromium ${browser.version()}`, names.length === 0);
      return checked.every(({ isWithinBudget }) => isWithinBudget);
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
