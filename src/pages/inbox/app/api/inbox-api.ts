// Server access of the inbox page: the operations of the Inbox API, its stream, and the member.
import { signal } from '@preact/signals';
import { type AdminLists, type AdminMethods, adminApi } from '../../../../client/operations/admin.ts';
import { type InboxLists, type InboxMethods, inboxApi } from '../../../../client/operations/inbox.ts';
import { ApiClient } from '../../../../client/platform/api-client.ts';
import type { CannedAnswer, InboxMember } from '../../../../protocol/inbox.ts';
import type { Permission } from '../../../../protocol/permissions.ts';
import type { SignedIn } from '../../../../protocol/types/session.ts';
import { call } from '../../../session/session-api.ts';

/** The member who uses the page. */
export interface Me {
  memberId: string;
  /** Signals are behind these: what is drawn with them is drawn again when they change. */
  readonly name: string;
  /** The name that visitors see; undefined if the member has none. */
  readonly displayName?: string | undefined;
  readonly permissions: readonly Permission[];
}

/** A colleague whom a conversation can be assigned to. */
export interface Colleague {
  memberId: string;
  name: string;
  /** If others have the same name. */
  email?: string;
}

export interface InboxApi {
  readonly me: Me;
  readonly inbox: InboxMethods;
  /** All members of the workspace. */
  listColleagues(): Promise<Colleague[]>;
  /** All bots of the workspace. */
  listBots(): Promise<{ id: string; name: string }[]>;
  /** All members who can answer visitors. */
  listInboxMembers(): Promise<(InboxMember & Colleague)[]>;
  /** All canned answers that the member can use. */
  listCannedAnswers(): Promise<CannedAnswer[]>;
  /** Reads again who the member is, and what they may do. Rejects if the server cannot be asked, or the session has ended. */
  updateMe(): Promise<void>;
  /** Opens the stream of the inbox. Rejects as the other methods do. */
  openStream(signal: AbortSignal): Promise<Response>;
}

/** The member who has signed in on this page: the fields of the Session API that the inbox needs. */
export type SignedInMember = Pick<SignedIn, 'member' | 'permissions'> & { workspace: { id: string } };

/** The browser sends the cookie of the session, which no script can read. */
class InboxClient extends ApiClient<InboxMethods & AdminMethods, InboxLists & AdminLists> {
  constructor(workspaceId: string) {
    super({ headers: { 'x-workspace-id': workspaceId } }, [inboxApi, adminApi], true);
  }

  openStream(signal: AbortSignal): Promise<Response> {
    const { apiUrl, headers } = this.rest.settings;
    return this.rest.exchange(
      {
        url: `${apiUrl}/v1/inbox/stream`,
        init: { headers: { ...headers, accept: 'text/event-stream' } },
        signal,
        timeoutMs: Number.POSITIVE_INFINITY,
      },
      (response) => response,
    );
  }
}

/** The operations of the Inbox and Admin APIs in the name of a member who has signed in. */
export function createInboxApi({ member, workspace, permissions }: SignedInMember): InboxApi {
  const client = new InboxClient(workspace.id);
  const session = signal({ member, permissions });
  return {
    me: {
      memberId: member.id,
      get name() {
        return nameOf(session.value.member);
      },
      get displayName() {
        return session.value.member.displayName;
      },
      get permissions() {
        return session.value.permissions;
      },
    },
    inbox: client,
    async listColleagues() {
      const members = await client.list.workspaceMembers().collect();
      const colleagues = members.map((each) => ({
        memberId: each.id,
        name: nameOf(each),
        email: each.email,
      }));
      return withEmails(colleagues, async () => colleagues);
    },
    listBots: () => client.list.bots({}).collect(),
    async listInboxMembers() {
      const members = await client.list.inboxMembers({ pageSize: 200 }).collect();
      return withEmails(members, async () => {
        const all = await client.list.workspaceMembers().collect();
        return all.map(({ id, email }) => ({ memberId: id, email }));
      });
    },
    listCannedAnswers: () => client.list.cannedAnswers({ pageSize: 200 }).collect(),
    async updateMe() {
      session.value = await call<SignedIn>('GET', '');
    },
    openStream: (signal) => client.openStream(signal),
  };
}

/** The colleagues, of whom those with the same name as another one have their e-mail address, which `read` reads if it is needed. */
async function withEmails<C extends Colleague>(
  colleagues: readonly C[],
  read: () => Promise<readonly { memberId: string; email: string }[]>,
): Promise<C[]> {
  const counts = new Map<string, number>();
  for (const { name } of colleagues) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isShared = ({ name }: Colleague) => (counts.get(name) ?? 0) > 1;
  const emails = new Map(
    colleagues.some(isShared) ? (await read()).map(({ memberId, email }) => [memberId, email]) : [],
  );
  return colleagues.map((colleague) => {
    const { email: _, ...rest } = colleague;
    const email = isShared(colleague) ? emails.get(colleague.memberId) : undefined;
    return { ...rest, ...(email === undefined ? {} : { email }) } as C;
  });
}

const nameOf = ({ displayName, email }: { displayName?: string; email: string }): string =>
  displayName || email;
