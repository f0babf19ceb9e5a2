// Handlers of the Session API: sign-in with another service. The service is called before the transaction. The
// transaction finds or adds the member.
import { oidc as operations } from '../../../protocol/operations/session.ts';
import { ApiError } from '../../api/errors.ts';
import { startSession } from '../../auth/sessions.ts';
import {
  bindAccount,
  type MemberWithPassword,
  memberOfAccount,
  membersOfEmail,
  memberWithPassword,
} from '../../storage/admin/sign-in.ts';
import { firstWorkspace, insertMember, type NewMember } from '../../storage/admin/workspaces.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import { recordSignIn } from '../audit.ts';
import type { Oidc, OidcIdentity } from '../oidc.ts';
import { serializeSignedIn } from '../serializers.ts';
import { handle, type SessionServices } from './services.ts';

/** The results of the calls before the transaction, by the headers of the request. */
const started = new WeakMap<Headers, { url: string; cookie: string }>();
const identities = new WeakMap<Headers, OidcIdentity>();

export const oidcHandlers = [
  handle(
    operations.startOidcSignIn,
    async ({ headers }) => {
      const begun = started.get(headers);
      if (!begun) throw new Error('The sign-in was not begun.');
      return { body: { url: begun.url }, oidcSession: begun.cookie };
    },
    {
      async beforeTransaction({ headers, services, input: { workspaceId } }) {
        started.set(headers, await serviceOf(services).start(workspaceId));
      },
    },
  ),

  handle(
    operations.finishOidcSignIn,
    async ({ tx, headers, network, services }) => {
      const identity = identities.get(headers);
      if (!identity) throw new Error('The service was not asked.');
      const now = services.now();
      const member = await memberOf(tx, identity, serviceOf(services), now);
      const { row, value } = await startSession(tx, member, { method: 'oidc', headers, network, now });
      const operation = operations.finishOidcSignIn.id;
      await recordSignIn(tx, { member, operation, session: row, network, status: 200, now });
      return { body: await serializeSignedIn(tx, row, services), session: value, oidcSession: '' };
    },
    {
      async beforeTransaction({ headers, network, services, input: { query } }) {
        const { attempts } = services;
        const service = serviceOf(services);
        // Each sign-in that was started has its own limit: which member it is for is not known yet.
        const subject = `oidc ${query}`;
        await attempts.begin(network, subject);
        identities.set(headers, await service.finish(headers, query));
        await attempts.succeed(network, subject);
      },
    },
  ),
];

function serviceOf({ oidc }: Pick<SessionServices, 'oidc'>): Oidc {
  if (oidc) return oidc;
  throw new ApiError(
    'Forbidden',
    'Members of this server do not sign in with another service (OIDC_ISSUER).',
  );
}

/**
 * Returns the member of an account: the member that is bound to it, otherwise the member with its verified e-mail
 * address, who is then bound to it. With OIDC_JOIN, a new member is added if there is none. Throws Forbidden.
 */
async function memberOf(
  tx: WriteTx,
  identity: OidcIdentity,
  { join }: Pick<Oidc, 'join'>,
  now: number,
): Promise<MemberWithPassword> {
  const { email, name, workspaceId } = identity;
  const bound = await memberOfAccount(tx, identity, workspaceId);
  if (bound) return bound;
  const [member] = await membersOfEmail(tx, email, workspaceId);
  if (member) {
    // A member has only one account: the e-mail address may now belong to another person.
    if (!(await bindAccount(tx, member, identity, now))) throw notInvited();
    return member;
  }
  const role = join.find(({ domain }) => email.endsWith(`@${domain}`))?.role;
  const workspace = role && (await firstWorkspace(tx));
  if (!role || !workspace || (workspaceId !== undefined && workspaceId !== workspace.id)) throw notInvited();
  // If two sign-ins run at the same time, the second one violates the unique address, runs again and finds the member.
  const added: NewMember = {
    id: createId('member', now),
    workspaceId: workspace.id,
    email,
    displayName: name,
    role,
    createdAt: now,
  };
  await insertMember(tx, added);
  await bindAccount(tx, added, identity, now);
  return (await memberWithPassword(tx, added.id)) ?? { ...added, hash: null };
}

const notInvited = () =>
  new ApiError(
    'Forbidden',
    'No member of this server has your account. Ask an administrator for an invitation.',
  );
