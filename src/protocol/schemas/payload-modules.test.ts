// Writes the modules that repeat the schemas of payloads, and fails while they differ. After a change: `npm run generate`.
import { expect, test } from 'vitest';
import { neededFieldsModule, typesModule } from './payload-modules.testing.ts';

test.each([
  ['../payloads.ts', typesModule],
  ['../../packages/widget/mock/needed-fields.ts', neededFieldsModule],
])('%s matches the schemas of payloads (npm run generate writes it)', async (file, text) => {
  await expect(text).toMatchFileSnapshot(file);
});
