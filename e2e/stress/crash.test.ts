// kill -9 under load, in short; `npm run test:stress crash` is the long form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, buildServer } from '../../src/server/testing.ts';
import { crash } from './crash/crash.ts';

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer();
}, 60_000);
afterAll(() => built.dispose());

test('kill -9 under load: nothing acknowledged is lost or doubled, streams have no gap, the bot is given all', async () => {
  const { faults, figures } = await crash({ main: built.main, rounds: 3, seed: 1 });
  expect(faults).toEqual([]);
  expect(figures).toMatchObject({ rounds: 3, lost: 0, doubled: 0 });
  // Each of the six writers had something under way at each kill, and each stream went on after it.
  expect(figures.sentAgain).toBeGreaterThanOrEqual(6 * 3);
  expect(figures.streamsOpened).toBeGreaterThanOrEqual(6 * 4);
}, 120_000);
