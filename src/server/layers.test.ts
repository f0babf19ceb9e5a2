// Checks the parts of src/server that have rules of their own: names of files in features, their indexes, and the places of SQL. The
// import direction of its folders is in scripts/architecture.toml.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis as declared } from '../protocol/operations/apis.ts';

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|\.contract\.ts$|\btesting\.ts$/.test(file),
);
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '(root)');
/** Folders that others import through their index.ts only. */
const features = ['admin', 'bots', 'chat', 'files', 'inbox', 'runtime', 'session', 'tables', 'webchat'];

test('features are imported through their index.ts only', () => {
  const imported = new RegExp(`'(?:\\.\\./)+(${features.join('|')})/(?!index\\.ts')[^']*'`, 'g');
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(imported)]
      .filter(([, feature = '']) => folderOf(file) !== feature && folderOf(file) !== 'storage')
      .map(([specifier]) => `${file}: ${specifier}`),
  );
  expect(found, 'Export it from the index.ts of the feature.').toEqual([]);
});

/** Each API has declarations in src/protocol/operations, and a feature of the same name. */
const apis = declared.map(({ name }) => name);
const namesOf = (feature: string) =>
  ['index.ts', 'operations/index.ts', 'operations/services.ts', 'serializers.ts'].map(
    (name) => `${feature}/${name}`,
  );

test('every feature has an index, and one with an API also operations, their services, and serializers', () => {
  expect(apis.length).toBeGreaterThan(5);
  expect(features).toEqual(expect.arrayContaining(apis));
  const expected = [...features.map((name) => `${name}/index.ts`), ...apis.flatMap(namesOf)];
  expect(
    expected.filter((name) => !files.includes(name)),
    'ARCHITECTURE.md lists the names of the files of a feature.',
  ).toEqual([]);
});

test('services and serializers have one name and one place in every feature', () => {
  // Serializers of streams and of several features are below them.
  const expected = ['api/serializers.ts', ...apis.flatMap(namesOf)];
  const named = files.filter((name) =>
    /(?:^|\/)(?:services?|serializers?|serialize|repository)\.ts$/.test(name),
  );
  expect(
    named.filter((name) => !expected.includes(name)),
    'ARCHITECTURE.md lists the names of the files of a feature.',
  ).toEqual([]);
});

test('no module is imported only for what it does, because bundles leave out modules of which nothing is used', () => {
  const bare = files.filter((file) => /^import '/m.test(readFileSync(join(root, file), 'utf8')));
  expect(bare).toEqual([]);
});

test('only storage knows the database engine: others use properties such as `isRemote` and `isShared`', () => {
  const outside = files.filter((file) => folderOf(file) !== 'storage');
  const found = outside.filter((file) => /\bdialect\b/i.test(readFileSync(join(root, file), 'utf8')));
  expect(found, 'Add a property to Database that says what is meant.').toEqual([]);
});

test('only composition knows the code of several processes: features own the interfaces, and one process implements them, too', () => {
  const outside = files.filter((file) => !['cluster', 'composition'].includes(folderOf(file)));
  const found = outside.filter((file) =>
    /(?:from|import\() ?'(?:\.\/|(?:\.\.\/)+)cluster\//.test(readFileSync(join(root, file), 'utf8')),
  );
  // Its SQL is in src/server/storage/cluster.
  expect(
    found.filter((file) => folderOf(file) !== 'storage'),
    'Add what is needed to an interface of the feature, and implement it in src/server/cluster.',
  ).toEqual([]);
});

test('SQL of one engine is chosen by forDialect, so that the compiler reports what a new engine lacks', () => {
  const compared = files.filter((file) => /\bdialect [!=]==? /.test(readFileSync(join(root, file), 'utf8')));
  expect(compared, 'Use forDialect of src/server/storage/dialect.ts.').toEqual([]);
});

test('SQL is written in storage only', () => {
  const sql =
    /\b(?:SELECT\s[\s\S]{1,200}?\sFROM\s|INSERT INTO\s|UPDATE\s+\w+\s+SET\s|DELETE FROM\s|CREATE TABLE\s|PRAGMA\s)/;
  const call = /\b(?:tx|read|write|db)\.(?:get|all|run)(?:<[^(]*>)?\(/;
  const outside = files.filter((file) => folderOf(file) !== 'storage');
  expect(outside.length).toBeGreaterThan(150);
  const found = outside.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    return sql.test(text) || call.test(text);
  });
  expect(found, 'Move the SQL to a function in src/server/storage/.').toEqual([]);
});

/**
 * Conditions at the end of a column, before its alias. Parentheses were removed with their content. The alias of a table has one
 * letter, or WHERE follows.
 */
const conditionColumn =
  /\b(?:SELECT|RETURNING)\s+(?:NOT\s+)?EXISTS\b|(?:\bEXISTS|\bIN|\bIS (?:NOT )?NULL|(?:(?<!->?)[<>=]|\b(?:LIKE|AND|OR|NOT)\b)\s*[^\s,]+)\s+AS "?\w\w+\b(?!\s+WHERE)/;

/** An SQL text without subqueries and arguments of functions, because conditions in them are not columns. */
function withoutParentheses(sql: string): string {
  const shorter = sql.replace(/\((?:SELECT|WITH)\b[^()]*\)|(?<=\w|\bIN )\([^()]*\)/g, '');
  if (shorter !== sql) return withoutParentheses(shorter);
  // Parentheses of an expression are removed without their content.
  const flat = sql.replace(/(?<!\w)\(([^()]*)\)/g, '$1');
  return flat === sql ? sql : withoutParentheses(flat);
}

const returnsCondition = (sql: string) => conditionColumn.test(withoutParentheses(sql));

test('no SQL returns a bare condition as a column, because other engines return true instead of 1', () => {
  const stored = files
    .filter((file) => folderOf(file) === 'storage')
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/`[^`]*`|'[^'\n]*'/g) ?? []);
  expect(stored.length).toBeGreaterThan(500);
  expect(stored.filter(returnsCondition)).toEqual([]);
});
