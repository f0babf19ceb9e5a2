// Tests that the generated client uses the names of the types of src/protocol.
import { readdirSync, readFileSync } from 'node:fs';
import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { components } from '../../protocol/schemas/chat.ts';
import { typeNames } from './type-names.testing.ts';

const sources = readdirSync('src/protocol', { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?!schemas|operations).*(?<!test)\.ts$/.test(file))
  .map((file) => readFileSync(`src/protocol/${file}`, 'utf8'))
  .join('\n');

test('every component of the Chat API that an operation contains and that has a type is printed by its name', () => {
  const reached = new Set<unknown>();
  /** Collects the schemas that are printed, which are not those inside of a schema with a name. */
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null || reached.has(schema)) return;
    reached.add(schema);
    if (typeNames.has(schema as v.GenericSchema)) return;
    const { entries, wrapped, item, value, options } = schema as Record<string, object | undefined>;
    for (const inner of [
      wrapped,
      item,
      value,
      ...Object.values(entries ?? {}),
      ...Object.values(options ?? {}),
    ])
      walk(inner);
  };
  for (const { operations } of apis)
    for (const { input, output } of operations) [input, output].forEach(walk);

  const printed = Object.entries(components).filter(
    ([name, schema]) =>
      reached.has(schema) && new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(sources),
  );
  expect(printed.length).toBeGreaterThan(10);
  const missing = printed.filter(([, schema]) => !typeNames.has(schema)).map(([name]) => name);
  expect(missing, 'Add rows to src/client/operations/type-names.testing.ts.').toEqual([]);
});
