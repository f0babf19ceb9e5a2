// Ranks of members: nobody handles who stands above them, nor gives a rank above their own.
import { type PrincipalKind, type Role, roles } from '../../../protocol/permissions.ts';
import { ApiError } from '../../errors.ts';

/** Throws Forbidden when the caller stands below this role. */
export function assertRank(caller: PrincipalKind, role: Role): void {
  // Roles stand from least to most; a caller who has none stands below all of them.
  if (roles.indexOf(caller as Role) < roles.indexOf(role)) {
    throw new ApiError('Forbidden', `Only who is ${role} or more may do that; the caller is ${caller}.`);
  }
}
