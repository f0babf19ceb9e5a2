// Handlers of the Session API: one-time links.
import { signIn } from '../../../protocol/operations/session.ts';
import { ApiError } from '../../api/errors.ts';
import { assertUncommon } from '../../auth/passwords.ts';
import { startSession } from '../../auth/sessions.ts';
import { hashOfLink, issueLink } from '../../auth/tokens.ts';
import {
  deleteLink,
  deleteLinksOfMember,
  deleteSessionsOfMember,
  type LinkRow,
  linkOfHash,
  membersOfEmail,
  memberWithPassword,
  setPassword,
} from '../../storage/admin/sign-in.ts';
import { findWorkspace } from '../../storage/admin/workspaces.ts';
import type { WriteTx } from '../../storage/database.ts';
import { recordSignIn } from '../audit.ts';
import { serializeSignedIn } from '../serializers.ts';
import { handle } from './services.ts';
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
    async ({ tx, headers, network, input: { token, password }, services }) => {
      const now = services.now();
      const link = await validLink(await linkOfHash(tx, hashOfLink(token)), now);
      assertFits(link, password);
      const member = await lockSignIn(tx, link.memberId);
      if (!(await deleteLink(tx, link.hash)) || !member) throw usedLink();
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
      async beforeTransaction({ headers, network, input: { token, password }, services }) {
        assertPasswords(services);
        const { attempts, db, passwords, now } = services;
        // Not counted for a member: guessing tokens is limited by IP address.
        await attempts.begin(network, `link ${hashOfLink(token)}`);
        const link = await validLink(await db.read((tx) => linkOfHash(tx, hashOfLink(token))), now());
        // Checked before the link is used up, so that the member can choose another password.
        assertFits(link, password);
        if (password !== undefined) {
          const member = await db.read((tx) => memberWithPassword(tx, link.memberId));
          await assertUncommon(password, member?.email ?? '');
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

/** Throws InvalidPayload if a password is missing for a link that sets one, or given for a link that does not. */
function assertFits({ purpose }: LinkRow, password: string | undefined): void {
  if (password === undefined ? purpose !== 'reset' : purpose !== 'sign-in') return;
  const message = password === undefined ? 'Choose the new password.' : 'A link to sign in sets no password.';
  throw new ApiError('InvalidPayload', `password: ${message}`, { issues: [{ path: 'password', message }] });
}

const usedLink = () =>
  new ApiError('Unauthorized', 'This link was used before, or is too old. Ask for another one.');
