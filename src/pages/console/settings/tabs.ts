// The parts of the section "Settings", and the permission that each needs.
import type { Permission } from '../../../protocol/permissions.ts';
import { t } from '../../ui/texts.ts';

export const settingsTabs = ['workspace', 'tokens', 'webhooks', 'audit', 'usage', 'mail', 'backup'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** A part that is not in this table is for everybody who sees the settings. */
const permissions: Partial<Record<SettingsTab, Permission>> = {
  webhooks: 'bots.read',
  audit: 'audit.read',
  mail: 'server.read',
  backup: 'server.read',
};

/** The parts that the member may see. */
export const shownTabs = (may: (permission: Permission) => boolean): SettingsTab[] =>
  settingsTabs.filter((tab) => {
    const permission = permissions[tab];
    return permission === undefined || may(permission);
  });

export function tabName(tab: SettingsTab): string {
  const names: Record<SettingsTab, string> = {
    workspace: t('Workspace'),
    tokens: t('Tokens'),
    webhooks: t('Webhooks'),
    audit: t('Audit trail'),
    usage: t('Usage'),
    mail: t('Mail'),
    backup: t('Backup'),
  };
  return names[tab];
}
