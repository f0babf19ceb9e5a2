// Tests that the generated types of payloads are those of their schemas, and that all are documented.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as v from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import type { Action, BlocItem, Option, Payload, PayloadOf, PayloadType } from './payloads.ts';
import * as schemas from './schemas/payloads.ts';

type Inferred = v.InferOutput<typeof schemas.payload>;

test('the type of each payload is that of its schema', () => {
  expectTypeOf<PayloadType>().toEqualTypeOf<Inferred['type']>();
  expectTypeOf<{ [T in PayloadType]: PayloadOf<T> }>().branded.toEqualTypeOf<{
    [T in PayloadType]: Extract<Inferred, { type: T }>;
  }>();
  expectTypeOf<Payload>().branded.toEqualTypeOf<Inferred>();
  expectTypeOf<BlocItem>().branded.toEqualTypeOf<v.InferOutput<typeof schemas.blocItem>>();
  expectTypeOf<Action>().branded.toEqualTypeOf<v.InferOutput<typeof schemas.action>>();
  expectTypeOf<Option>().branded.toEqualTypeOf<v.InferOutput<typeof schemas.option>>();
});

test('docs/reference/messages.md has a row for each type of payload, with its fields', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/messages.md'), 'utf8');
  const [, table = ''] = /^## Payloads\n([\s\S]*?)^An action /m.exec(page) ?? [];
  const missing = schemas.payload.options.flatMap(({ entries }) => {
    const type = entries.type.literal;
    const row = table.split('\n').find((line) => line.split('|')[1]?.includes(`\`${type}\``)) ?? '';
    // Types that only clients send, not bots.
    const fields = Object.keys(entries).filter((name) => !['type', 'fileId', 'value'].includes(name));
    return ['', ...fields]
      .filter((name) => !(name === '' ? row : row.replaceAll('?', '')).includes(name) || !row)
      .map((name) => `${type} ${name}`.trim());
  });
  expect(
    missing,
    'Add these types and fields to the table below "Payloads" in docs/reference/messages.md.',
  ).toEqual([]);
});
