// Writes the modules of this folder from the declarations in src/protocol/operations, and fails while they differ.
// After a change of a declaration: `npm run generate`.
import { expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { moduleOf } from './testing.ts';

test.each(apis)(
  'the routes and methods of the $title match the declarations (npm run generate writes them)',
  async (api) => {
    await expect(moduleOf(api)).toMatchFileSnapshot(`./${api.name}.ts`);
  },
);
