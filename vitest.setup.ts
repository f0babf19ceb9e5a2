// Test files share two processes. What a file replaced is put back when it ends, and the next one evaluates its modules
// again. A file that mocks a module must unmock it.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetModules();
});
