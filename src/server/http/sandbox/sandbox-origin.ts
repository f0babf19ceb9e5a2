// Checks the setting of the sandbox origin (sandbox.ts).
import type { AddressSettings } from '../../startup/address-settings.ts';
import { StartError } from '../../startup/start-error.ts';

/**
 * Throws StartError if apps would run under the host name of the server. Cookies ignore ports, and browsers put pages of one host
 * name into one process.
 */
export function checkSandboxOrigin(settings: Pick<AddressSettings, 'SANDBOX_ORIGIN' | 'PUBLIC_URL'>): void {
  const { SANDBOX_ORIGIN: origin, PUBLIC_URL: publicUrl = 'http://127.0.0.1' } = settings;
  if (origin === undefined || new URL(origin).hostname !== new URL(publicUrl).hostname) return;
  throw new StartError(
    'SANDBOX_ORIGIN needs another host name than PUBLIC_URL: nothing else is served there.',
  );
}
