// The e-mail addresses of members, each of one member of a workspace.
import { ApiError } from '../api/errors.ts';
import { memberOfEmail } from '../storage/admin/workspaces.ts';
import type { Tx } from '../storage/database.ts';

/** Throws AlreadyExists when a member of the workspace has this e-mail address. */
export async function assertEmailUnused(tx: Tx, workspaceId: string, email: string): Promise<void> {
  if (await memberOfEmail(tx, workspaceId, email)) {
    throw new ApiError('AlreadyExists', 'A member with this e-mail address already exists.');
  }
}
