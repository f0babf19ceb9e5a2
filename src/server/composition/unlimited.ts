// The settings of a server in a test of a bot, and in tests of this repository.
import { quotaSettings } from '../limits/settings.ts';
import { computedSettings } from '../tables/index.ts';
import { readSettings, type Settings } from './settings.ts';

/** Returns the defaults without quotas and limits, which tests reach in seconds, and without semantic search. */
export function unlimitedSettings(): Settings {
  const names = Object.keys({ RATE_LIMIT: 0, ...quotaSettings, ...computedSettings });
  return readSettings({ ...Object.fromEntries(names.map((name) => [name, '0'])), EMBEDDINGS: 'off' });
}
