// Runs the same scenarios in Chromium, Firefox and WebKitGTK, one engine after the other, and prints a list. Exits
// with 1 when a scenario fails or an engine does not start. Ends every process that it started, also when it is
// interrupted. Arguments: names of engines, and parts of scenario names (default: all). Imported by run.mjs.
import { mkdir, writeFile } from 'node:fs/promises';
import { startFaultProxy } from '../support/faults/fault-proxy.ts';
import { startHostSite } from '../support/host-page.ts';
import { type PlatformServer, startPlatform } from '../support/server.ts';
import type { Driver } from './driver.ts';
import { launchFirefox } from './firefox.ts';
import { expectNoErrors, type PageOptions, servePage } from './page.ts';
import { appScenarios } from './scenarios/apps.ts';
import { conversationScenarios } from './scenarios/conversation.ts';
import { featureScenarios } from './scenarios/features.ts';
import { hostileScenarios } from './scenarios/hostile-pages.ts';
import { pageScenarios } from './scenarios/page.ts';
import { peopleScenarios } from './scenarios/people.ts';
import { reliabilityScenarios } from './scenarios/reliability.ts';
import type { OwnServer, Scenario } from './scenarios/scenario.ts';
import { Visitor } from './visitor.ts';
import { launchChromium, launchWebkit } from './webdriver.ts';

const scenarios: Scenario[] = [
  ...conversationScenarios,
  ...pageScenarios,
  ...featureScenarios,
  ...hostileScenarios,
  ...reliabilityScenarios,
  ...peopleScenarios,
  ...appScenarios,
];

// Firefox draws boxes with the fonts of packages (environment.ts): its processes of pages cannot read files in the repository.
delete process.env.FONTCONFIG_FILE;

const engines: Record<string, () => Promise<Driver>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkit: launchWebkit,
};

/** Milliseconds after which a scenario has failed. The conditions in a scenario have shorter limits. */
const limit = 60_000;
/** Folder for screenshots of failures. */
const folder = 'test-results/browsers';

interface Result {
  ms: number;
  error?: unknown;
  /** True when it passed or failed in the second attempt. */
  isRetry?: boolean;
  /** True when the engine's driver cannot run it. */
  isSkipped?: boolean;
}

/** Functions that end what was started; called in reverse order. */
const ends: (() => Promise<unknown>)[] = [];
/** Registers the end of something that is starting. An interruption waits until it has started, and then ends it. */
const endLater = <T>(starting: Promise<T>, end: (started: T) => Promise<unknown>): Promise<T> => {
  ends.push(() => starting.then(end, () => {}));
  return starting;
};
async function endAll(down = 0): Promise<void> {
  // If one of them fails, the others are still called.
  while (ends.length > down)
    await ends
      .pop()?.()
      .catch((error) => console.error(error));
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(code)));
}

/** Returns false when a scenario or an engine failed. */
async function main(names: readonly string[]): Promise<boolean> {
  const wantedEngines = Object.keys(engines).filter((name) => names.includes(name));
  const parts = names.filter((name) => !(name in engines));
  const chosen = scenarios.filter(({ name }) => !parts.length || parts.some((part) => name.includes(part)));
  if (!chosen.length) throw new Error(`No scenario has such a name. Available:\n${listed(scenarios)}`);

  const platform = await startServer();
  const results = new Map<string, Map<string, Result>>();
  for (const engine of wantedEngines.length ? wantedEngines : Object.keys(engines)) {
    const before = ends.length;
    const column = new Map<string, Result>();
    try {
      const driver = await openBrowser(engine);
      results.set(driver.version, column);
      for (const scenario of chosen) {
        if (scenario.skippedIn === engine) {
          column.set(scenario.name, { ms: 0, isSkipped: true });
          continue;
        }
        const first = await attempt(scenario, driver, platform, engine);
        // As in Playwright: a second attempt is reported as flaky and does not fail the run.
        const isRetry = first.error !== undefined;
        const result = isRetry ? await attempt(scenario, driver, platform, engine) : first;
        column.set(scenario.name, { ...result, isRetry });
      }
    } catch (error) {
      console.error(`${engine}:`, error);
      results.set(engine, column);
    }
    await endAll(before);
  }
  console.log(`\n${listOf(results, chosen).join('\n')}`);
  const all = [...results.values()].flatMap((column) => chosen.map(({ name }) => column.get(name)));
  const passed = all.filter((result) => result && !result.error).length;
  console.log(`\n${passed} passed, ${all.length - passed} failed`);
  return passed === all.length;
}

/** Starts a server with the scripted bot. It ends with the scenario, or with the run. */
const startServer = (env: Record<string, string> = {}): Promise<PlatformServer> =>
  endLater(startPlatform({ BOT: 'e2e/support/bots/scripted-bot.js', ...env }), (started) =>
    started.dispose(),
  );

const openBrowser = (engine: string): Promise<Driver> =>
  endLater((engines[engine] as () => Promise<Driver>)(), (started) => started.close());

async function attempt(
  { name, run }: Scenario,
  driver: Driver,
  platform: PlatformServer,
  engine: string,
): Promise<Result> {
  const start = performance.now();
  const before = ends.length;
  // New origins for each attempt, so that nothing is cached or stored for them.
  const site = await endLater(startHostSite(), (started) => started.close());
  const proxy = await endLater(startFaultProxy(platform.url), (started) => started.close());
  const visitor = new Visitor(driver, proxy.chatUrl, platform.chatUrl);
  const drivers = [driver];
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const pageOf =
      (url: string) =>
      (options?: PageOptions, path = '/') =>
        servePage(site, url, path, options);
    const serve = async (env: Record<string, string>): Promise<OwnServer> => {
      const own = await startServer(env);
      return { platform: own, page: pageOf(own.url), visitor: new Visitor(driver, own.chatUrl, own.chatUrl) };
    };
    const openAnother = async () => {
      const another = await openBrowser(engine);
      drivers.push(another);
      return another;
    };
    const onEnd = (end: () => Promise<unknown>) => void ends.push(end);
    const context = { visitor, driver, platform, proxy, page: pageOf(proxy.url), serve, onEnd };
    await Promise.race([
      run({ ...context, openBrowser: openAnother }).then(() => Promise.all(drivers.map(expectNoErrors))),
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`The scenario did not finish within ${limit} ms.`)), limit);
      }),
    ]);
    return { ms: performance.now() - start };
  } catch (error) {
    console.error(`\n${driver.version}: ${name}\n`, error);
    await mkdir(folder, { recursive: true });
    for (const [index, { screenshot }] of drivers.entries()) {
      const file = `${folder}/${engine}-${name.replace(/\W+/g, '-')}${index ? `-${index + 1}` : ''}.png`;
      await screenshot().then(
        (picture) => writeFile(file, picture),
        () => {},
      );
      console.error(`  see ${file}`);
    }
    return { ms: performance.now() - start, error };
  } finally {
    clearTimeout(timer);
    await driver.goto('about:blank').catch(() => {});
    await endAll(before);
  }
}

/** One line for each scenario in each engine. */
const listOf = (results: Map<string, Map<string, Result>>, rows: readonly Scenario[]): string[] =>
  [...results].flatMap(([engine, column]) =>
    rows.map(({ name }) => {
      const result = column.get(name);
      const time = `${((result?.ms ?? 0) / 1_000).toFixed(1)} s`;
      const outcome = !result ? 'not run' : result.isSkipped ? 'skipped' : result.error ? 'FAILED' : time;
      return `${engine}  ${outcome}${result?.isRetry ? ' flaky' : ''}  ${name}`;
    }),
  );

const listed = (rows: readonly { name: string }[]) => rows.map(({ name }) => `  ${name}`).join('\n');

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} finally {
  await endAll();
}
