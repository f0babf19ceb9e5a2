// Writes the modules of src/protocol/types, and fails while they differ from the schemas. After a change: `npm run generate`.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namedTypes } from './named-types.ts';
import { typesModuleOf } from './type-modules.testing.ts';

const modules = Object.keys(namedTypes);
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!test|testing)\.ts$/.test(file),
  );

test.each(modules)('the types of %s match its schemas (npm run generate writes them)', async (module) => {
  await expect(typesModuleOf(module)).toMatchFileSnapshot(`../types/${module}.ts`);
});

test('every module of schemas that names types is in the list, and each module of types has schemas', () => {
  const schemas = import.meta.dirname;
  const naming = filesOf(schemas).filter((file) =>
    /^export const types = /m.test(readFileSync(`${schemas}/${file}`, 'utf8')),
  );
  const listed = modules.map((module) => `${module}.ts`);
  expect(naming.toSorted(), 'Add the module to named-types.ts.').toEqual(listed.toSorted());
  expect(filesOf(`${schemas}/../types`).toSorted()).toEqual(listed.toSorted());
});
