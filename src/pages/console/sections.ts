// The sections of the console: their place in the navigation, the permission that they need, and their code, which is loaded when
// they are first opened.
import type { ComponentType } from 'preact';
import type { Permission } from '../../protocol/permissions.ts';
import type { IconName } from '../ui/Icon.tsx';
import { t } from '../ui/texts.ts';
import type { ConsolePage, ScreenProps } from './route.ts';

interface Section {
  name(): string;
  icon: IconName;
  /** A member without it does not see the section. */
  permission?: Permission;
  load(): Promise<{ Screen: ComponentType<ScreenProps> }>;
}

export const sections: Record<ConsolePage, Section> = {
  start: {
    name: () => t('First steps'),
    icon: 'flag',
    permission: 'bots.update',
    load: () => import('./start/Start.tsx'),
  },
  bots: {
    name: () => t('Bots'),
    icon: 'bot',
    permission: 'bots.read',
    load: () => import('./bots/Bots.tsx'),
  },
  team: {
    name: () => t('Team'),
    icon: 'team',
    permission: 'members.read',
    load: () => import('./team/Team.tsx'),
  },
  settings: {
    name: () => t('Settings'),
    icon: 'settings',
    permission: 'workspaces.read',
    load: () => import('./settings/Settings.tsx'),
  },
  account: { name: () => t('Account'), icon: 'visitor', load: () => import('./account/Account.tsx') },
};
