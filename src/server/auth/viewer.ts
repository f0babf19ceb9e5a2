// Which conversations a caller may see. All APIs ask here, so that a token reads nothing that the inbox hides from its member.
import { isPermitted } from '../../protocol/permissions.ts';
import { isMember, type Principal } from '../api/caller.ts';
import type { Viewer } from '../storage/inbox/visibility.ts';

/**
 * The caller as a reader of conversations: bots and integrations see those of all teams, members those of restricted teams only as
 * members of the team, or with the permission to assign. An operator in another workspace is none of its members.
 */
export const viewerOf = (
  caller: Pick<Principal, 'kind' | 'workspaceId' | 'homeWorkspaceId' | 'memberId'>,
): Viewer => ({
  workspaceId: caller.workspaceId,
  memberId: caller.workspaceId === caller.homeWorkspaceId ? (caller.memberId ?? '') : '',
  seesAllTeams: !isMember(caller) || isPermitted(caller.kind, 'inbox.assign'),
});
