// Ranks of members: nobody handles who stands above them, nor gives a rank above their own.
import { type PrincipalKind, type Role, roles } from '../../protocol/permissions.ts';
import { ApiError } from '../api/errors.ts';

/** From least to most; a caller of another kind stands below all of them. */
const ranks: readonly PrincipalKind[] = [...roles, 'operator'];

/** Throws Forbidden when the caller stands below this role. */
export function assertRank(caller: PrincipalKind, role: Role): void {
  if (ranks.indexOf(caller) < ranks.indexOf(role)) {
    throw new ApiError('Forbidden', `Only who is ${role} or more may do that; the caller is ${caller}.`);
  }
}
