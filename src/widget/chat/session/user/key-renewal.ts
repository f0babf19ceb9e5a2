// Renews the user key of an anonymous visitor before it expires, so that a returning visitor is recognised.
import * as routes from '../../../../client/operations/chat.ts';
import type { SessionInternals } from '../context.ts';

/** Milliseconds after which a key is renewed, or half its lifetime if that is shorter. */
const maxAgeMs = 86_400_000;

/** Renews the key when it is old, until the scope ends. Failures are silent and retried later. */
export function renewUserKey(
  { widget: { storage }, store, syncFromStorage, client }: SessionInternals,
  scope: AbortSignal,
): void {
  if (scope.aborted || !store.has('renewal')) return;
  const { renewKey } = client.with({ renewKey: routes.renewKey });
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The key for which the timer runs. */
  let timedKey: string | undefined;

  const check = async () => {
    const { userKey, isNamed } = storage.read();
    /** Milliseconds until the next check. */
    let pause = maxAgeMs / 4;
    try {
      // The page renews its own keys.
      if (userKey && !isNamed) {
        const { age, limit } = ageOf(userKey);
        pause = limit / 4;
        // After a full wait the clock is ignored: with a wrong clock, each new key would seem old.
        if (userKey === timedKey || age < 0 || age >= limit) {
          const { key } = await renewKey({}, { signal: scope });
          // Another tab may have renewed it first, or the user may have changed.
          if (storage.read().userKey === userKey) {
            storage.write({ userKey: key });
            syncFromStorage();
          }
          timedKey = key;
          pause = ageOf(key).limit;
        } else {
          timedKey = userKey;
          pause = limit - age;
        }
      }
    } catch {
      // The key is valid until it expires.
    }
    if (!scope.aborted) timer = setTimeout(check, pause);
  };
  scope.addEventListener('abort', () => clearTimeout(timer));
  void check();
}

/** The age of a key by this clock, and the age for its renewal; milliseconds. A key without `iat` is very old. */
function ageOf(key: string): { age: number; limit: number } {
  const payload = key.split('.')[1] ?? '';
  const { iat, exp } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
  const issuedAt = +iat || 0;
  const half = ((+exp || Infinity) - issuedAt) * 500;
  return { age: Date.now() - issuedAt * 1_000, limit: Math.max(1_000, Math.min(maxAgeMs, half)) };
}
