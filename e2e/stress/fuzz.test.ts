// Every address of the server under requests that mean harm, in short; `npm run test:stress fuzz` is the long form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { families } from '../../src/server/families.ts';
import { type BuiltServer, buildServer } from '../../src/server/testing.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { samples } from './fuzz/samples.ts';

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer();
}, 60_000);
afterAll(() => built.dispose());

test('whatever is sent: an answer in the five fields, no 5xx, no silence, and the server goes on', async () => {
  const { faults, figures } = await fuzz({ built, rounds: 50, seed: 1 });
  expect(faults).toEqual([]);
  expect(figures.rounds).toBe(50);
}, 120_000);

test('every operation of all families is among the samples', () => {
  const ids = families.flatMap(({ operations }) => operations.map(({ id }) => id));
  expect(samples.map(({ name }) => name)).toEqual(expect.arrayContaining(ids));
});
