// `npm run screens`: draws the states of all surfaces, and writes a page of all pictures beside those of the last release.
//   --only TEXT   draws only the states whose surface or name contains it
//   --look TEXT   draws only the looks whose name contains it, such as "phone"
//   --release     draws those of the last release instead; --ref REF those of a commit
import './environment.ts';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { requireProgram } from '../../scripts/browser.mjs';
import { openDesk } from '../people/desk.ts';
import { userKeySecret } from '../support/chat-page.ts';
import { startHostSite } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';
import { drawScene, isWanted, screensTime } from './draw.ts';
import { buildRelease, releaseFolder } from './release.ts';
import { writeReport } from './report.ts';
import { createShop } from './shop.ts';
import { screensEnv } from './stage.ts';
import type { State, Surface } from './state.ts';
import { isOfWidget, scenes } from './states.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    release: { type: 'boolean' },
    ref: { type: 'string' },
    look: { type: 'string' },
  },
});
const { only = '', look = '', ref } = values;
const root = '.cache/screens';
const isRelease = values.release === true || ref !== undefined;
const begin = performance.now();

const release = isRelease ? await buildRelease(ref) : undefined;
const folder = join(root, release ? releaseFolder(release.name) : 'now');
const clock = join(import.meta.dirname, 'server-clock.mjs');
async function startServer() {
  const env = {
    ...(await screensEnv()),
    USER_KEY_SECRET: userKeySecret,
    WEBHOOK_PRIVATE: 'first',
    NODE_OPTIONS: `--import ${clock}`,
    SCREENS_TIME: screensTime,
  };
  const main = release && join(release.folder, 'dist/node/src/server/main.js');
  return startPlatform(env, { ...(main && { main }), onLog: () => {} });
}

/** Scenes of states that need each other are whole; the others are parts of a few states, so that all pages have work until the end. */
const waiting = scenes.flatMap((scene) => {
  const states = scene.states.filter((state) => isWanted(scene.surface, state, only));
  if (!scene.isSeparate) return states.length > 0 ? [scene] : [];
  const parts = Array.from({ length: Math.ceil(states.length / 6) }, (_, index) => index * 6);
  return parts.map((from) => ({ ...scene, states: states.slice(from, from + 6) }));
});
const [browser, platform, shopPlatform, host] = await Promise.all([
  chromium.launch({
    executablePath: requireProgram('headless'),
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--font-render-hinting=none'],
  }),
  startServer(),
  startServer(),
  startHostSite(),
]);
let drawn = 0;
const problems: string[] = [];
try {
  const shop = await createShop(shopPlatform);
  await openDesk(platform);
  const drawing = { browser, shop, host, folder, only, look, onDrawn };
  const work = async () => {
    for (let scene = waiting.shift(); scene; scene = waiting.shift())
      await drawScene(scene, { ...drawing, platform: isOfWidget(scene.surface) ? platform : shopPlatform });
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
} finally {
  await browser.close();
  await Promise.all([platform.dispose(), shopPlatform.dispose(), host.close()]);
}
const page = await writeReport(root, scenes);
const seconds = Math.round((performance.now() - begin) / 1_000);
console.log(`\n${drawn} states in ${seconds} s: ${page}`);
for (const problem of problems) console.log(problem);
// Gates of answers that never end keep their connections.
process.exit(problems.length > 0 && !isRelease ? 1 : 0);

function onDrawn(surface: Surface, { name }: State, problem?: string): void {
  drawn += 1;
  if (problem) problems.push(`${surface}, ${name}: ${problem.split('\n')[0]}`);
  process.stdout.write(problem ? '!' : '.');
}
