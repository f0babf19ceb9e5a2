// The roles of members in words.
import { type PrincipalKind, type Role, roles } from '../../protocol/permissions.ts';
import { t } from '../ui/texts.ts';

export function roleName(role: Role): string {
  const names: Record<Role, string> = {
    viewer: t('Viewer'),
    billing: t('Billing'),
    support: t('Support'),
    developer: t('Developer'),
    manager: t('Manager'),
    administrator: t('Administrator'),
    owner: t('Owner'),
  };
  return names[role];
}

export function roleText(role: Role): string {
  const texts: Record<Role, string> = {
    viewer: t('Reads conversations, bots and files, and changes nothing.'),
    billing: t('Sees the usage and the members, and no conversations.'),
    support: t('Answers visitors in the inbox, and sees their own figures.'),
    developer: t('Like support. Also builds bots, and sees the reports of everybody.'),
    manager: t(
      'Like a developer. Also invites members, arranges teams, hours and answers, and deletes bots.',
    ),
    administrator: t(
      'Like a manager. Also changes the workspace, creates tokens for others, and sees the audit trail.',
    ),
    owner: t('Like an administrator. Only other owners can change or remove an owner.'),
  };
  return texts[role];
}

/** The roles that a caller may give, and those of the members whom they may change. */
export function rolesUpTo(principal: PrincipalKind): readonly Role[] {
  if (principal === 'operator') return roles;
  return roles.slice(0, roles.indexOf(principal as Role) + 1);
}
