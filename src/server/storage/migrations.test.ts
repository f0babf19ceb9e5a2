// Tests that no released step of the schema does something else than when it was released: databases that have run it would
// differ from new ones. docs/decisions/archive/0028-migrations.md
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releasedVersions, schemaVersionOf } from './data-folders.testing.ts';
import { migrations } from './migrations.ts';
import { type Step, stepsAfter } from './postgres/migrations.ts';

/** The steps up to this one are released. */
const newest = Math.max(...releasedVersions.map(schemaVersionOf));

/** Identifies the statements of a step: comments and spaces may change. */
function hashOf(sql: string): string {
  const statements = sql
    .replace(/--[^\n]*|'(?:[^']|'')*'/g, (part) => (part.startsWith('--') ? '' : part))
    .replace(/'(?:[^']|'')*'|\s*([(),;])\s*|\s+/g, (part, mark) =>
      part.startsWith("'") ? part : (mark ?? ' '),
    )
    .trim();
  return createHash('sha256').update(statements).digest('hex').slice(0, 16);
}

/** The released steps: version of the schema after the step -> hash. */
const released = (steps: readonly Step[]): Record<string, string> =>
  Object.fromEntries(
    steps.filter(({ version }) => version <= newest).map(({ version, sql }) => [version, hashOf(sql)]),
  );

test('a released step of the schema does what it did when it was released', () => {
  const steps = {
    sqlite: released(migrations.map((sql, index) => ({ version: index + 1, sql }))),
    postgres: released(stepsAfter(0)),
  };
  expect(Object.keys(steps.sqlite)).toHaveLength(newest);
  expect(
    steps,
    'Undo the change of the released step, and add a step to migrations.ts. Only after a release: add its steps to fixtures/released-steps.json.',
  ).toEqual(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/released-steps.json'), 'utf8')));
});
