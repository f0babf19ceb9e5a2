// Runs the conformance suite of stores on a folder.
import { join } from 'node:path';
import { openFolder } from './folder.ts';
import { testFileStore } from './store.contract.ts';
import { openInFolder } from './testing.ts';

testFileStore('a folder', 100_000, () => openInFolder((home) => openFolder(join(home, 'files'))));
