// Tests of the translation of SQL texts.
import { expect, test } from 'vitest';
import { createTranslator, translate } from './statements.ts';

test.each([
  ['SELECT a FROM t WHERE b = ? AND c > ?', 'SELECT a FROM t WHERE b = $1 AND c > $2'],
  ["SELECT '?' || ? || 'it''s ?'", "SELECT '?' || $1 || 'it''s ?'"],
  ['SELECT "a?""?" FROM t WHERE x = ?', 'SELECT "a?""?" FROM t WHERE x = $1'],
  ['SELECT 1 -- why?\n + ?', 'SELECT 1 -- why?\n + $1'],
  ['SELECT /* ? */ ?', 'SELECT /* ? */ $1'],
  ['SELECT 1 FROM a CROSS JOIN b ON b.id = a.id', 'SELECT 1 FROM a JOIN b ON b.id = a.id'],
  ["SELECT ' CROSS JOIN '", "SELECT ' CROSS JOIN '"],
  [
    `VALUES ${Array.from({ length: 12 }, () => '?').join(', ')}`,
    'VALUES $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12',
  ],
])('%s is translated: parameters are numbered, and literals and comments stay', (sql, expected) => {
  expect(translate(sql)).toBe(expected);
});

test('each text is translated once, and has a name of its own as long as a connection prepares it', () => {
  const statementOf = createTranslator();
  const first = statementOf('SELECT ?');
  const names = Array.from({ length: 3_000 }, (_, n) => statementOf(`SELECT ${n}, ?`).name);
  const prepared = names.filter((name) => name !== undefined);
  expect(new Set(prepared).size).toBe(prepared.length);
  expect(prepared.length).toBeLessThan(500);
  expect(statementOf('SELECT ?')).toBe(first);
  expect(statementOf('SELECT 2999, ?').name).toBe(undefined);
});

test('only SELECT is a query', () => {
  const statementOf = createTranslator();
  const isQuery = (sql: string) => statementOf(sql).isQuery;
  expect(['SELECT 1', '  select 1', '\n SELECT 1'].map(isQuery)).toEqual([true, true, true]);
  expect(
    ['INSERT INTO t VALUES (1) RETURNING a', 'WITH x AS (DELETE FROM t) SELECT 1', 'SELECTED'].map(isQuery),
  ).toEqual([false, false, false]);
});
