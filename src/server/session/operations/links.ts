// Handlers of the Session API: one-time links.
import type { Input } from '../../../protocol/operations/operation.ts';
import { signIn } from '../../../protocol/operations/session.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import { assertEmailUnused } from '../../auth/email-addresses.ts';
import { assertUncommon } from '../../auth/passwords.ts';
import { startSession } from '../../auth/sessions.ts';
import { hashOfLink, issueLink } from '../../auth/tokens.ts';
import { deleteSessionsOfMember } from '../../storage/admin/member-sessions.ts';
import {
  deleteLink,
  deleteLinksOfMember,
  type LinkRow,
  linkOfHash,
  type MemberWithPassword,
  membersOfEmail,
  memberWithPassword,
  setPassword,
} from '../../storage/admin/sign-in.ts';
import { findMember, findWorkspace, updateMember } from '../../storage/admin/workspaces.ts';
import type { WriteTx } from '../../storage/database.ts';
import { recordSignIn } from '../audit.ts';
import { serializeSignedIn } from '../serializers.ts';
import { handle, type SessionServices } from './services.ts';
import { assertPasswords, lockSignIn } from './sign-in.ts';

/** The hashes of new passwords, by the headers of the request. */
const hashes = new WeakMap<Headers, string>();

export const linkHandlers = [
  handle(
    signIn.requestSignInLink,
    async ({ tx, network, input: { email, purpose = 'sign-in', workspaceId }, services }) => {
      const { attempts, background, db, mails } = services;
      if (!mails) {
        const message =
          'This server sends no mail. An administrator can create a link: `platform-webchat members link ADDRESS`.';
        throw new ApiError('Forbidden', message);
      }
      const now = services.now();
      await attempts.countMail(tx, network, email, now);
      // The link is stored and sent after the response, so that the time does not reveal whether the member exists.
      const sendLink = async (tx: WriteTx) => {
        const [member] = await membersOfEmail(tx, email, workspaceId);
        const workspace = member && (await findWorkspace(tx, member.workspaceId));
        if (!member || !workspace) return;
        const { url, id } = await issueLink(tx, member, { purpose, address: mails.address, now });
        const operation = signIn.requestSignInLink.id;
        const target = { purpose };
        await recordSignIn(tx, { member, operation, network, status: 200, now, target });
        const content = { to: member.email, url, workspaceName: workspace.name, id };
        tx.afterCommit(() => mails.send(purpose, content));
      };
      tx.afterCommit(() => background.add(() => db.write(sendLink)));
      return { body: {} };
    },
    {
      async beforeTransaction({ services }) {
        assertPasswords(services);
      },
    },
  ),

  handle(
    signIn.useSignInLink,
    async ({ tx, headers, network, input, services }) => {
      const now = services.now();
      const link = await validLink(await linkOfHash(tx, hashOfLink(input.token)), now);
      assertFits(link, input, services);
      const locked = await lockSignIn(tx, link.memberId);
      if (!(await deleteLink(tx, link.hash)) || !locked) throw usedLink();
      const member = link.purpose === 'setup' ? await setUpOwner(tx, locked, input) : locked;
      const hash = hashes.get(headers);
      if (hash !== undefined) {
        await setPassword(tx, member, hash, now);
        await deleteSessionsOfMember(tx, member.id);
        await deleteLinksOfMember(tx, member.id);
      }
      const { row, value } = await startSession(tx, member, { method: 'link', headers, network, now });
      const target = { purpose: link.purpose };
      const operation = signIn.useSignInLink.id;
      await recordSignIn(tx, { member, operation, session: row, network, status: 200, now, target });
      return { body: await serializeSignedIn(tx, row, services), session: value };
    },
    {
      async beforeTransaction({ headers, network, input, services }) {
        const { token, password, email } = input;
        // Where members sign in with another service only, the link of the first start sets no password.
        if (email === undefined || password !== undefined) assertPasswords(services);
        const { attempts, db, passwords, now } = services;
        // Not counted for a member: guessing tokens is limited by IP address.
        await attempts.begin(network, `link ${hashOfLink(token)}`);
        const link = await validLink(await db.read((tx) => linkOfHash(tx, hashOfLink(token))), now());
        // Checked before the link is used up, so that the member can choose another password.
        assertFits(link, input, services);
        if (password !== undefined) {
          const member = await db.read((tx) => memberWithPassword(tx, link.memberId));
          await assertUncommon(password, email ?? member?.email ?? '');
          hashes.set(headers, await passwords.hash(password));
        }
        await attempts.succeed(network, `link ${hashOfLink(token)}`);
      },
    },
  ),
];

/** Throws Unauthorized for an invalid link, with the same error for all reasons. */
async function validLink(link: LinkRow | undefined, now: number): Promise<LinkRow> {
  if (!link || link.expiresAt <= now) throw usedLink();
  return link;
}

type LinkInput = Pick<Input<typeof signIn.useSignInLink>, 'password' | 'email' | 'displayName'>;

/** Throws InvalidPayload if a field is missing for a link that sets it, or given for a link that does not. */
function assertFits(
  { purpose }: LinkRow,
  { password, email, displayName }: LinkInput,
  { oidc }: Pick<SessionServices, 'oidc'>,
): void {
  const isSetup = purpose === 'setup';
  const needsPassword = purpose === 'reset' || (isSetup && !oidc);
  if (password === undefined && needsPassword) throw invalidField('password', 'Choose the new password.');
  if (password !== undefined && purpose === 'sign-in')
    throw invalidField('password', 'A link to sign in sets no password.');
  if (isSetup && email === undefined) throw invalidField('email', 'Enter your e-mail address.');
  if (isSetup) return;
  if (email !== undefined) throw invalidField('email', 'This link sets no e-mail address.');
  if (displayName !== undefined) throw invalidField('displayName', 'This link sets no name.');
}

/** Gives the first owner the address and the name of their own. Throws AlreadyExists if another member has the address. */
async function setUpOwner(
  tx: WriteTx,
  member: MemberWithPassword,
  { email = member.email, displayName }: LinkInput,
): Promise<MemberWithPassword> {
  const row = await findMember(tx, member.workspaceId, member.id);
  if (!row) throw usedLink();
  if (email !== row.email) await assertEmailUnused(tx, row.workspaceId, email);
  const changed = { email, displayName: displayName ?? row.displayName };
  await updateMember(tx, { ...row, ...changed });
  // Links of earlier starts are for the same purpose.
  await deleteLinksOfMember(tx, member.id);
  return { ...member, ...changed };
}

const usedLink = () =>
  new ApiError('Unauthorized', 'This link was used before, or is too old. Ask for another one.');
