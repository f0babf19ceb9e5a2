// The parts of the screen of a bot: their names, and their code, which is loaded when they are opened.
import type { ComponentType } from 'preact';
import type { Permission } from '../../../protocol/permissions.ts';
import { t } from '../../ui/texts.ts';
import type { TabProps } from './tab-props.ts';

export const botTabs = ['answers', 'knowledge', 'appearance', 'people', 'privacy', 'install'] as const;
export type BotTab = (typeof botTabs)[number];

interface Tab {
  name(): string;
  /** A member without it does not see the tab. */
  permission: Permission;
  load(): Promise<{ Tab: ComponentType<TabProps> }>;
}

export const tabs: Record<BotTab, Tab> = {
  answers: { name: () => t('Answers'), permission: 'bots.read', load: () => import('./Answers.tsx') },
  knowledge: { name: () => t('Knowledge'), permission: 'files.list', load: () => import('./Knowledge.tsx') },
  appearance: {
    name: () => t('Appearance'),
    permission: 'webchat.read',
    load: () => import('./Appearance.tsx'),
  },
  people: { name: () => t('People'), permission: 'bots.read', load: () => import('./People.tsx') },
  privacy: { name: () => t('Privacy'), permission: 'bots.read', load: () => import('./Privacy.tsx') },
  install: { name: () => t('Install'), permission: 'webchat.read', load: () => import('./Install.tsx') },
};
