// Limits the attempts to sign in and the requested mails. They are counted in the database.
import { ApiError } from '../api/errors.ts';
import { createKeyedHash, wideNetworkOf, wideShare } from '../limits/client-address.ts';
import {
  type AttemptLimit,
  countAttempt,
  forgetAttempts,
  isNoted,
  note,
  takeAttemptBack,
} from '../storage/admin/sign-in.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';

const minuteMs = 60_000;
const quarterHourMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;

/**
 * Failures of one IP address with one member before a wait: a minute, then twice as long after each failure, at most an
 * hour.
 */
export const failuresOfMember = 5;
/** Failures of one IP address with all members in 15 minutes. */
export const failuresOfAddress = 20;
/**
 * Failures with one member from all addresses together, and the wait after each so many. Addresses from which the member has signed
 * in are not counted and do not wait, nor do links and other services: nobody can lock a member out.
 */
export const failuresFromEverywhere = 50;
const waitEverywhereMs = hourMs;
/** Milliseconds that an address is known from which a member has signed in. */
const knownAddressTimeMs = 90 * 24 * hourMs;
/** Mails in an hour: to one e-mail address, and requested by one IP address. */
export const mailsOfMember = 3;
export const mailsOfAddress = 20;

const growingWait = (count: number): number =>
  Math.min(hourMs, minuteMs * 2 ** Math.min(10, count - failuresOfMember));

/** Whose password is tried. */
export interface Tried {
  /** Under which name guesses from all addresses are counted: an e-mail address, or the id of a member. */
  name: string;
  /** The member whose password is compared; undefined if there is none. */
  memberId: string | undefined;
  /** Several members have the name, in different workspaces: the success of one says nothing about guesses for another. */
  isShared?: boolean;
}

export interface Attempts {
  /**
   * Counts an attempt of `network` to sign in, as a member or with a link. An attempt counts as a failure until it has
   * succeeded, so that concurrent attempts cannot bypass the limit. `tried`: whose password is tried. Throws RateLimited.
   */
  begin(network: string, subject: string, tried?: Tried): Promise<void>;
  /** Records that the attempt has succeeded. */
  succeed(network: string, subject: string, tried?: Tried): Promise<void>;
  /** Counts a mail to an e-mail address that `network` requests. Throws RateLimited. */
  countMail(tx: WriteTx, network: string, email: string, now: number): Promise<void>;
}

/** `secret`: the key of the hash. Addresses are stored only as a keyed hash. `now`: milliseconds since 1970. */
export function createAttempts(db: Database, secret: string, now: () => number): Attempts {
  const idOf = createKeyedHash(secret);

  /** The limits of a network: for IPv6 also that of the larger network, which is higher. */
  const limitsOf = (kind: string, network: string, free: number, window: number): AttemptLimit[] => {
    const wide = wideNetworkOf(network);
    const limit = (name: string, units: number): AttemptLimit => ({
      id: idOf(`${kind} ${name}`),
      free: units,
      window,
      waitAfter: () => window,
    });
    return [limit(network, free), ...(wide === undefined ? [] : [limit(wide, free * wideShare)])];
  };
  const ofAddress = (network: string) => limitsOf('sign-in', network, failuresOfAddress, quarterHourMs);
  const ofMember = (network: string, subject: string): AttemptLimit => ({
    id: idOf(`sign-in ${network} ${subject}`),
    free: failuresOfMember,
    window: quarterHourMs,
    waitAfter: growingWait,
  });

  const fromEverywhere = (member: string): AttemptLimit => ({
    id: idOf(`sign-in of ${member}`),
    free: failuresFromEverywhere,
    window: waitEverywhereMs,
    waitAfter: (attempts) => (attempts % failuresFromEverywhere === 0 ? waitEverywhereMs : 0),
  });
  const knownId = (network: string, member: string) => idOf(`known ${network} ${member}`);
  /** The limit of all addresses; none for an address that is known. */
  const ofUnknown = async (tx: Tx, network: string, tried: Tried | undefined): Promise<AttemptLimit[]> => {
    if (tried === undefined) return [];
    const { name, memberId } = tried;
    const isKnown = memberId !== undefined && (await isNoted(tx, knownId(network, memberId), now()));
    return isKnown ? [] : [fromEverywhere(name)];
  };

  return {
    async begin(network, subject, tried) {
      const time = now();
      await db.write(async (tx) => {
        // The order matters: a refused attempt for one member must not use up the attempts of others with this address, and one of an
        // address that has to wait must not use up those of all.
        const limits = [ofMember(network, subject), ...ofAddress(network)];
        for (const limit of [...limits, ...(await ofUnknown(tx, network, tried))])
          await count(tx, limit, time);
      });
    },
    async succeed(network, subject, tried) {
      await db.write(async (tx) => {
        const own = ofMember(network, subject);
        if (!tried?.isShared) await forgetAttempts(tx, own.id);
        const others = [...ofAddress(network), ...(await ofUnknown(tx, network, tried))];
        for (const { id } of [...(tried?.isShared ? [own] : []), ...others]) await takeAttemptBack(tx, id);
        if (tried?.memberId !== undefined)
          await note(tx, knownId(network, tried.memberId), now() + knownAddressTimeMs);
      });
    },
    async countMail(tx, network, email, time) {
      const [own] = limitsOf('mail to', email, mailsOfMember, hourMs);
      for (const limit of [...(own ? [own] : []), ...limitsOf('mail', network, mailsOfAddress, hourMs)])
        await count(tx, limit, time);
    },
  };
}

async function count(tx: WriteTx, limit: AttemptLimit, now: number): Promise<void> {
  const wait = await countAttempt(tx, limit, now);
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1000);
  const text = `Too many attempts. Try again in ${seconds} s.`;
  throw new ApiError('RateLimited', text, { retryAfter: seconds }, { 'retry-after': String(seconds) });
}
