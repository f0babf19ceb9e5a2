// Tests that the compiler compares schemas and written types in both directions.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { schemaOf } from './schema-of.ts';

interface Written {
  id: string;
  note?: string;
}

test('the compiler refuses a schema that differs from the written type in either direction', () => {
  const note = v.exactOptional(v.string());
  const exact = v.object({ id: v.string(), note });
  expect(schemaOf<Written>()(exact), 'the schema itself').toBe(exact);

  // @ts-expect-error the schema lacks an optional field
  schemaOf<Written>()(v.object({ id: v.string() }));
  // @ts-expect-error the schema has an optional field more
  schemaOf<Written>()(v.object({ id: v.string(), note, more: note }));
  // @ts-expect-error a field is required in the schema only
  schemaOf<Written>()(v.object({ id: v.string(), note: v.string() }));
  // @ts-expect-error the schema has fewer values
  schemaOf<{ kind: 'a' | 'b' }>()(v.object({ kind: v.literal('a') }));
  // @ts-expect-error the schema keeps other fields, the type has none
  schemaOf<Written>()(v.looseObject({ id: v.string(), note }));
  schemaOf<Written & Record<string, unknown>>()(v.looseObject({ id: v.string(), note }));
  // @ts-expect-error a member of the union is missing
  schemaOf<Written | { error: string }>()(v.union([exact]));
});

test('no schema is compared with its written type in one direction only', () => {
  const protocol = join(import.meta.dirname, '../..');
  const files = readdirSync(protocol, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.filter((file) => /satisfies\s+v\.GenericSchema/.test(readFileSync(join(protocol, file), 'utf8'))),
    'Use schemaOf<Type>()(schema): `satisfies` accepts a schema without an optional field of the type.',
  ).toEqual([]);
});
