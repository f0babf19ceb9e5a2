// What the inbox page asks of the server: the operations of the Inbox API, its stream, and who the member is.
import type { AdminLists, AdminMethods } from '../../../../client/operations/admin.ts';
import { adminApi } from '../../../../client/operations/admin.ts';
import type { InboxLists, InboxMethods } from '../../../../client/operations/inbox.ts';
import { inboxApi } from '../../../../client/operations/inbox.ts';
import { ApiClient } from '../../../../client/platform/api-client.ts';
import type { Permission } from '../../../../protocol/admin/permissions.ts';
import type { SignedIn } from '../../../../protocol/admin/session.ts';

/** The member who uses the page. */
export interface Me {
  memberId: string;
  name: string;
  permissions: readonly Permission[];
}

/** A colleague whom a conversation can be assigned to. */
export interface Colleague {
  memberId: string;
  name: string;
}

export interface InboxApi {
  readonly me: Me;
  readonly inbox: InboxMethods;
  /** All members of the workspace. */
  listColleagues(): Promise<Colleague[]>;
  /** Opens the stream of the inbox. Rejects as the other methods do. */
  openStream(signal: AbortSignal): Promise<Response>;
}

/** Who has signed in on this page: what the Session API returns, without what the inbox does not need. */
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
  return {
    me: { memberId: member.id, name: nameOf(member), permissions },
    inbox: client,
    async listColleagues() {
      const members = await client.list.workspaceMembers().collect();
      return members.map((each) => ({ memberId: each.id, name: nameOf(each) }));
    },
    openStream: (signal) => client.openStream(signal),
  };
}

const nameOf = ({ displayName, email }: { displayName?: string; email: string }): string =>
  displayName || email;
