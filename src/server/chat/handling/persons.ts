// A member as visitors see them.
import type { Person } from '../../../protocol/handling.ts';
import type { MemberRow } from '../../storage/admin/workspaces.ts';

/** The name that visitors read of a member without one. */
const publicName = 'Support';

/** Whether a name of a person is that of members without one. */
export const isPublicName = (name: string | undefined): boolean => name === publicName;

/** The name of a member that visitors see. It is never the e-mail address. */
export const personOfMember = ({ displayName, profilePicture }: MemberRow): Person => ({
  name: displayName || publicName,
  ...(profilePicture === null ? {} : { pictureUrl: profilePicture }),
});
