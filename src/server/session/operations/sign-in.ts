// Handlers of the Session API: signing in with a password, and changing it. Passwords are hashed before the
// transaction. The transaction only checks, under the lock of the member, that nothing has changed since.
import { signIn } from '../../../protocol/operations/session.ts';
import { ApiError } from '../../api/errors.ts';
import { assertUncommon } from '../../auth/passwords.ts';
import { replaceSessionValue, startSession } from '../../auth/sessions.ts';
import { deleteSessionsOfMember } from '../../storage/admin/member-sessions.ts';
import {
  deleteLinksOfMember,
  type MemberWithPassword,
  membersOfEmail,
  memberWithPassword,
  replaceHash,
  setPassword,
} from '../../storage/admin/sign-in.ts';
import type { WriteTx } from '../../storage/database.ts';
import { recordSignIn } from '../audit.ts';
import { serializeSignedIn } from '../serializers.ts';
import { handle, type SessionServices } from './services.ts';

/** The member with the correct password, and the hash of a new password, by the headers of the request. */
const checked = new WeakMap<Headers, { member: MemberWithPassword; hash: string }>();

/** A call with a checked password. */
const checkedOf = (headers: Headers) => {
  const found = checked.get(headers);
  if (!found) throw new Error('The password of the request was not checked.');
  return found;
};

export const signInHandlers = [
  handle(signIn.getSignInOptions, async ({ services: { hasPasswords, mails, oidc } }) => ({
    body: {
      password: hasPasswords,
      link: hasPasswords && mails !== undefined,
      ...(oidc ? { oidc: oidc.name } : {}),
    },
  })),

  handle(
    signIn.signInWithPassword,
    async ({ tx, headers, network, services }) => {
      const { member: checked, hash } = checkedOf(headers);
      const member = await lockSignIn(tx, checked.id);
      // The member was removed, or the password was changed, since the check.
      if (member?.hash !== hash) throw wrongPassword();
      const now = services.now();
      const { row, value } = await startSession(tx, member, { method: 'password', headers, network, now });
      const operation = signIn.signInWithPassword.id;
      await recordSignIn(tx, { member, operation, session: row, network, status: 200, now });
      return { body: await serializeSignedIn(tx, row, services), session: value };
    },
    {
      async beforeTransaction({ headers, network, services, input: { email, password, workspaceId } }) {
        assertPasswords(services);
        const { db, attempts, background, passwords, now } = services;
        const all = await db.read((tx) => membersOfEmail(tx, email, undefined));
        const found =
          workspaceId === undefined ? all : await db.read((tx) => membersOfEmail(tx, email, workspaceId));
        const member = found.find(({ hash }) => hash !== null);
        const { hash } = member ?? {};
        // By the address, whatever the workspace is: a guess with the id of a workspace is one for the same member.
        const tried = { name: email, memberId: member?.id, isShared: all.length > 1 };
        await attempts.begin(network, email, tried);
        // One hash is computed for each request, so that the time does not reveal whether the address belongs to a
        // member.
        if (!(await passwords.verify(hash ?? undefined, password)) || !member || !hash) {
          const failed = member ?? found[0];
          if (failed) {
            const operation = signIn.signInWithPassword.id;
            const entry = { member: failed, operation, network, status: 401, now: now() };
            // After the response: an unknown address has no record.
            background.add(() => db.write((tx) => recordSignIn(tx, entry)));
          }
          throw wrongPassword();
        }
        await attempts.succeed(network, email, tried);
        const current = passwords.isOutdated(hash) ? await passwords.hash(password) : hash;
        if (current !== hash) await db.write((tx) => replaceHash(tx, member.id, hash, current));
        checked.set(headers, { member, hash: current });
      },
    },
  ),

  handle(
    signIn.changePassword,
    async ({ tx, caller, headers, services: { now } }) => {
      const { member: checked, hash } = checkedOf(headers);
      const member = await lockSignIn(tx, caller.memberId);
      if (!member || member.hash !== checked.hash) throw wrongCurrent();
      await setPassword(tx, member, hash, now());
      await deleteSessionsOfMember(tx, member.id, caller.session.id);
      await deleteLinksOfMember(tx, member.id);
      const value = await replaceSessionValue(tx, caller.session, member.role, now());
      return { body: {}, ...(value === undefined ? {} : { session: value }) };
    },
    {
      async beforeTransaction({ headers, caller, network, services, input }) {
        assertPasswords(services);
        const { db, attempts, passwords } = services;
        const { currentPassword, password } = input;
        await assertUncommon(password, caller.email);
        const tried = { name: caller.memberId, memberId: caller.memberId };
        await attempts.begin(network, caller.memberId, tried);
        const member = await db.read((tx) => memberWithPassword(tx, caller.memberId));
        if (!member?.hash || !(await passwords.verify(member.hash, currentPassword))) throw wrongCurrent();
        await attempts.succeed(network, caller.memberId, tried);
        checked.set(headers, { member, hash: await passwords.hash(password) });
      },
    },
  ),
];

/**
 * The member, under a lock: a session that is being started with the old password is stored before the password is changed, so
 * that the change ends it, or is not started.
 */
export async function lockSignIn(tx: WriteTx, memberId: string): Promise<MemberWithPassword | undefined> {
  await tx.lock(`owner:${memberId}`);
  return memberWithPassword(tx, memberId);
}

/** Throws Forbidden if members can sign in only with another service. */
export function assertPasswords({ hasPasswords }: Pick<SessionServices, 'hasPasswords'>): void {
  if (hasPasswords) return;
  throw new ApiError('Forbidden', 'Members of this server sign in with another service only (OIDC_ONLY).');
}

const wrongPassword = () => new ApiError('Unauthorized', 'The e-mail address or the password is wrong.');
const wrongCurrent = () => {
  const message = 'The current password is wrong. A member without a password sets one with a link.';
  return new ApiError('Forbidden', message, { issues: [{ path: 'currentPassword', message }] });
};
