// Test files share processes. What a file replaced is put back when it ends. The modules of the server are evaluated once for a
// process; a file with a DOM evaluates its modules again, because those of the widget know the page. A file that mocks a module must
// unmock it.
import { afterAll, afterEach, vi } from 'vitest';
import { forgetLastId } from '../../src/server/storage/ids.ts';

// Every second write of a test server runs twice (src/server/storage/repeated-writes.testing.ts). The same seed repeats
// the same writes twice; `off` none.
process.env.REPEATED_WRITES ??= String(Math.floor(Math.random() * 2 ** 32));

/** As openTestDatabase of src/server/testing.ts has set it. */
const shared = globalThis as { webchatRepeatsWrites?: boolean };

afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || !shared.webchatRepeatsWrites) return;
  console.error(`${task.name}: writes were repeated with REPEATED_WRITES=${process.env.REPEATED_WRITES}`);
});

afterAll(async () => {
  shared.webchatRepeatsWrites = false;
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  forgetLastId();
  if (typeof window === 'undefined') return;
  vi.resetModules();
  // All files with a DOM have the same document.
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  // Effects of Preact that are due with the next frame would run without a DOM: the environment ends with its last file.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
});
