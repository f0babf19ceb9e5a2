import { expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { readJson } from './read-input.ts';

const read = (body: string, values?: number) =>
  readJson(
    new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
    limits.tablesBodyBytes,
    { values },
  );

test('a body with more values than allowed is refused by every API', async () => {
  const rows = `[${'{},'.repeat(limits.bodyValues)}{}]`;
  expect(rows.length).toBeLessThan(limits.tablesBodyBytes);
  await expect(read(rows)).rejects.toMatchObject({
    type: 'InvalidPayload',
    message: `The body has more than ${limits.bodyValues} values.`,
  });
});

test('commas in strings do not count as values, and a body with the maximum number is read', async () => {
  expect((await read('["a,b,c,\\",d", 2]', 2))?.value).toEqual(['a,b,c,",d', 2]);
  await expect(read('[1,2,3]', 2)).rejects.toMatchObject({ type: 'InvalidPayload' });
});
