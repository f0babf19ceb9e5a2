// The secrets that sign user keys and file addresses: those of the settings, or those in the data folder.

import type { Settings } from './composition/settings.ts';
import { loadOrCreateSecrets, type Secrets } from './data-folder.ts';
import { StartError } from './startup/start-error.ts';

type SecretSettings = Pick<
  Settings,
  'DATA_DIR' | 'USER_KEY_SECRET' | 'USER_KEY_SECRET_PREVIOUS' | 'USER_KEY_SECRETS'
>;

/** Whether the settings contain the secret, so that applications can sign keys with it. */
export const hasSecret = (settings: SecretSettings): boolean =>
  (settings.USER_KEY_SECRET ?? settings.USER_KEY_SECRETS) !== undefined;

/**
 * Returns the secret that signs, and those that are still accepted. USER_KEY_SECRET_PREVIOUS is added to
 * USER_KEY_SECRET, or to the secrets in the data folder, of which the first start creates one.
 * @throws StartError if the list and one of the single settings are set, or the data folder has no valid secret.
 */
export async function readSecrets({ DATA_DIR, ...settings }: SecretSettings): Promise<Secrets> {
  const { USER_KEY_SECRETS: list, USER_KEY_SECRET: secret, USER_KEY_SECRET_PREVIOUS: before } = settings;
  if (list) {
    // Which of them signs would be a guess.
    if (secret !== undefined || before !== undefined) {
      throw new StartError(
        'USER_KEY_SECRETS replaces USER_KEY_SECRET and USER_KEY_SECRET_PREVIOUS: add their values to the list, and remove them.',
      );
    }
    const [current = '', ...previous] = list;
    return { current, previous };
  }
  const secrets =
    secret === undefined ? await loadOrCreateSecrets(DATA_DIR) : { current: secret, previous: [] };
  return before === undefined ? secrets : { ...secrets, previous: [before, ...secrets.previous] };
}
