// Tests the ids of threads and runs.
import { v5 } from 'uuid';
import { expect, test } from 'vitest';
import { uuidOf } from './run.ts';

test('an id is the UUID of version 5 that belongs to the name', () => {
  const namespace = '8f0c2f6f-6a0e-5b0f-9d3b-6f1d5a7c4e21';
  for (const name of ['conv_01KB', '', 'Ä'.repeat(100)]) expect(uuidOf(name)).toBe(v5(name, namespace));
});
