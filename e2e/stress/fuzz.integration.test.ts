// The short form of the fuzz test (malformed requests to every route). `npm run test:stress fuzz` runs the long form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apis } from '../../src/protocol/operations/apis.ts';
import { type BuiltServer, buildServer } from '../../src/server/testing.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { samples } from './fuzz/samples.ts';

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer();
});
afterAll(() => built.dispose());

/** 50 rounds of a request to every route, beside the tests of other files. */
const timeout = 600_000;

test('malformed requests are answered with a well-formed error, never with 5xx or silence, and the server keeps working', {
  timeout,
}, async () => {
  const { faults, figures } = await fuzz({ built, rounds: 50, seed: 1 });
  expect(faults).toEqual([]);
  expect(figures.rounds).toBe(50);
});

test('the fuzz test has a valid sample request for every operation of every API', () => {
  const ids = apis.flatMap(({ operations }) => operations.map(({ id }) => id));
  expect(samples.map(({ name }) => name)).toEqual(expect.arrayContaining(ids));
});
