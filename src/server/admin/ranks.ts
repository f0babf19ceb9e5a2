// Ranks of members: a caller cannot change a member with a higher role, or assign a role above their own.
import {
  isPermitted,
  type Permission,
  type PrincipalKind,
  type Role,
  roles,
} from '../../protocol/permissions.ts';
import type { Principal } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';

/** In ascending order; a caller of another kind ranks below all of them. */
const ranks: readonly PrincipalKind[] = [...roles, 'operator'];

/** Throws Forbidden when the caller ranks below this role. */
export function assertRank(caller: PrincipalKind, role: Role): void {
  if (ranks.indexOf(caller) < ranks.indexOf(role)) {
    throw new ApiError(
      'Forbidden',
      `This requires the role ${role} or a higher one; the caller is ${caller}.`,
    );
  }
}

/** Throws Forbidden when the caller lacks a permission that only some inputs of an operation need. */
export function assertPermitted({ kind }: Pick<Principal, 'kind'>, permission: Permission): void {
  if (isPermitted(kind, permission)) return;
  throw new ApiError('Forbidden', `This requires the permission ${permission}, which ${kind} does not have.`);
}
