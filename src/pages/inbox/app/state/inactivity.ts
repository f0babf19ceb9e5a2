// Makes a member away who does nothing in any tab of the inbox, and available again when they are back.
import type { Me } from '../api/inbox-api.ts';
import type { TeamState } from './team.ts';

/** Milliseconds without input after which a member is away: ten minutes. */
const inactiveMs = 10 * 60_000;
/** Milliseconds between two looks. */
const lookMs = 30_000;
/** Milliseconds between two notes of an input for the other tabs. */
const noteMs = 5_000;
const key = 'inbox last input';

/** Starts to listen; the result ends it. `storage`: shared by the tabs; undefined: each tab is alone. */
export function followInactivity(
  team: Pick<TeamState, 'own' | 'refreshOwn' | 'setAvailability'>,
  { memberId }: Pick<Me, 'memberId'>,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined,
): () => void {
  const controller = new AbortController();
  let last = Date.now();
  /** It was set here, or in a tab that was closed since then, also with its browser. */
  const awayKey = `inbox inactive ${memberId}`;
  let isAway = storage?.getItem(awayKey) === '1';
  const setAway = (next: boolean) => {
    isAway = next;
    try {
      if (next) storage?.setItem(awayKey, '1');
      else storage?.removeItem(awayKey);
    } catch {
      // Full or refused: only this tab knows.
    }
  };
  const set = (availability: 'available' | 'away') => {
    setAway(availability === 'away');
    team.setAvailability(availability).catch(() => {
      // The next look tries again.
      setAway(!isAway);
    });
  };
  /** Available again, unless another tab has done that already. */
  const setBack = () => {
    const own = team.own.peek();
    if (own?.availability === 'away') set('available');
    // Otherwise it is not known yet.
    else if (own) setAway(false);
  };
  const onInput = () => {
    const now = Date.now();
    if (now - last > noteMs) {
      isAway ||= storage?.getItem(awayKey) === '1';
      try {
        storage?.setItem(key, String(now));
      } catch {
        // Full or refused: other tabs do not know.
      }
    }
    last = now;
    if (isAway) setBack();
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    addEventListener(type, onInput, { signal: controller.signal, passive: true });
  const look = setInterval(() => {
    team.refreshOwn().catch(() => {});
    const newest = Math.max(last, Number(storage?.getItem(key)) || 0);
    const isActive = Date.now() - newest < inactiveMs;
    // A member who has set the availability to away by hand stays away.
    if (!isActive && !isAway && team.own.peek()?.availability === 'available') set('away');
    else if (isActive && isAway) setBack();
  }, lookMs);
  return () => {
    controller.abort();
    clearInterval(look);
  };
}
