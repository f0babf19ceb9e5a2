import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(import.meta.dirname, 'faults');
const patches = readdirSync(folder);

test.each(patches)('the fault of %s can be put back into the sources', (file) => {
  execFileSync('git', ['apply', '--check', join(folder, file)], { cwd: root, stdio: 'pipe' });
});

test('each fault is said in a sentence, with the commit that has mended it', () => {
  for (const file of patches) {
    const [fault, mended] = readFileSync(join(folder, file), 'utf8').split('\n');
    expect(fault, file).toMatch(/^Fault: [A-Z].*\.$/);
    expect(mended, file).toMatch(/^Mended by: [0-9a-f]{8} \S/);
  }
});
