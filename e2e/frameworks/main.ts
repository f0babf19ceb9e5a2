// Creates a new project of each framework with its own generator, follows the steps of its recipe page, and uses the
// chat in a real browser against a real server. Needs the npm registry, and up to 1 GB in the temporary folder for one
// project at a time. Imported by run.mjs.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { findProgram } from '../../scripts/browser.mjs';
import { freePort } from '../../scripts/services/service.mjs';
import { startPlatform } from '../support/server.ts';
import { checkSite } from './check.ts';
import { isGithubReachable, startNuxtRegistry } from './nuxt-registry.ts';
import { runSteps } from './project.ts';
import { frameworks, readRecipe } from './recipe.ts';

const run = promisify(execFile);
const recipes = 'docs/guides/recipes';
/** The newest version that one of the generators requires: @angular/cli 22. */
const wantedNode = 24;

const names = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const unknown = names.find((name) => !frameworks.includes(name));
if (unknown) throw new Error(`There is no recipe ${unknown}: ${frameworks.join(', ')}.`);

const folder = await mkdtemp(join(tmpdir(), 'frameworks-'));
const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
let failed = 0;
try {
  const env = await environment();
  const platform = await startPlatform();
  ends.push(() => platform.dispose());
  const executablePath = findProgram('headless');
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
  });
  ends.push(() => browser.close());
  for (const name of names.length ? names : frameworks) {
    const started = Date.now();
    const project = join(folder, name);
    const lines: string[] = [];
    try {
      await mkdir(project);
      await runSteps(readRecipe(await readFile(join(recipes, `${name}.md`), 'utf8')), {
        folder: project,
        chatUrl: platform.chatUrl,
        env: { ...env, PORT: String(await freePort()) },
        async onServed(served, present) {
          const checked = await checkSite(browser, served, present);
          lines.push(`${served.command}: ${checked.join(', ')}`);
        },
      });
      console.log(`${name}: passed in ${Math.round((Date.now() - started) / 1000)} s`);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILED\n${error instanceof Error ? error.message : error}`);
    }
    for (const line of lines) console.log(`  ${line}`);
    await rm(project, { recursive: true, force: true });
  }
} finally {
  for (const end of ends.reverse()) await end();
}
process.exitCode = failed ? 1 : 0;

/** The environment of all commands: nobody is asked, nothing is reported to the makers of the tools. */
async function environment(): Promise<Record<string, string | undefined>> {
  const env: Record<string, string | undefined> = {
    ...process.env,
    // Set by Vite for this program.
    NODE_ENV: undefined,
    CI: '1',
    DO_NOT_TRACK: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
    NO_UPDATE_CHECK: '1',
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  if (Number(process.versions.node.split('.')[0]) < wantedNode) {
    await run('npm', ['install', '--prefix', join(folder, 'node'), `node@${wantedNode}`]);
    env.PATH = [join(folder, 'node/node_modules/node/bin'), process.env.PATH].join(delimiter);
  }
  if (!(await isGithubReachable())) {
    console.log(
      'GitHub is not reachable: create-nuxt gets its template from e2e/frameworks/nuxt-registry.ts.',
    );
    const registry = await startNuxtRegistry(folder);
    ends.push(() => registry.close());
    env.NUXI_INIT_REGISTRY = registry.url;
  }
  const isGoogleReachable = await fetch('https://fonts.googleapis.com/css2?family=Geist', {
    signal: AbortSignal.timeout(20_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isGoogleReachable) {
    console.log('Google Fonts is not reachable: Next.js gets empty style sheets for its two fonts.');
    const mocked = join(folder, 'fonts.cjs');
    // The two fonts of the generated layout.
    const responses = ['Geist', 'Geist+Mono'].map((family) => [
      `https://fonts.googleapis.com/css2?family=${family}:wght@100..900&display=swap`,
      "@font-face { font-family: 'Geist'; src: local('Arial'); }",
    ]);
    await writeFile(mocked, `module.exports = ${JSON.stringify(Object.fromEntries(responses))};`);
    env.NEXT_FONT_GOOGLE_MOCKED_RESPONSES = mocked;
  }
  return env;
}
