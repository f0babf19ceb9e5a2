// What the inbox page asks of the server: the operations of the Inbox API, its stream, and who the member is.
import type { AdminLists, AdminMethods } from '../../../../client/operations/admin.ts';
import { adminApi } from '../../../../client/operations/admin.ts';
import type { InboxLists, InboxMethods } from '../../../../client/operations/inbox.ts';
import { inboxApi } from '../../../../client/operations/inbox.ts';
import { ApiClient } from '../../../../client/platform/api-client.ts';
import type { ClientOptions } from '../../../../client/platform/client-options.ts';
import type { Permission } from '../../../../protocol/admin/permissions.ts';

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

/** A member who has signed in on this page, as the Session API returns them. */
export interface SignedInMember {
  member: { id: string; email: string; displayName?: string };
  workspace: { id: string };
  permissions: readonly Permission[];
}

/**
 * How the requests are authorized: by the cookie of the session, which no script can read, or by a token, which is kept in
 * memory only.
 */
export type Authorization = { token: string } | { signedIn: SignedInMember };

/** Sends requests with the cookie of the session. A request with a token besides it is refused. */
const sessionFetch: NonNullable<ClientOptions['fetch']> = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  return fetch(url, { ...init, headers, credentials: 'same-origin' });
};

class InboxClient extends ApiClient<InboxMethods & AdminMethods, InboxLists & AdminLists> {
  constructor(options: ClientOptions) {
    super(options, [inboxApi, adminApi]);
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

/**
 * Finds out who the member is, if that is not known, and returns the operations in their name.
 * @throws (as a rejection) ApiError if the server refuses the token; NetworkError; TypeError for a token that belongs to no member.
 */
export async function createInboxApi(authorization: Authorization): Promise<InboxApi> {
  if ('signedIn' in authorization) {
    const { member, workspace, permissions } = authorization.signedIn;
    // The client asks for a token, which `sessionFetch` leaves out.
    const options = { token: 'session', workspaceId: workspace.id, fetch: sessionFetch };
    return apiOf(new InboxClient(options), { memberId: member.id, name: nameOf(member), permissions });
  }
  const { token } = authorization;
  const { token: current } = await new InboxClient({ token }).getCurrentToken();
  const { memberId, workspaceId, permissions } = current;
  if (!memberId) throw new TypeError('Only a personal token of a member can open the inbox.');
  const client = new InboxClient({ token, workspaceId });
  return apiOf(client, { memberId, name: nameOf(await client.getWorkspaceMember()), permissions });
}

function apiOf(client: InboxClient, me: Me): InboxApi {
  return {
    me,
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
