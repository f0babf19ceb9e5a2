// The parts of the section "Team". Three of them are panes of the inbox, whose data they share.

import { t } from '../../ui/texts.ts';
import type { ConsoleRoute } from '../route.ts';

export type TeamTab = 'members' | 'teams' | 'hours' | 'answers';

const addresses: Record<TeamTab, ConsoleRoute | string> = {
  members: { page: 'team' },
  teams: '?settings=teams',
  hours: '?settings=hours',
  answers: '?settings=answers',
};

/** The tabs for `TabLinks`. */
export function teamTabs(current: TeamTab, hasInbox: boolean) {
  const names: Record<TeamTab, string> = {
    members: t('Members'),
    teams: t('Teams'),
    hours: t('Opening hours'),
    answers: t('Canned answers'),
  };
  return (Object.keys(names) as TeamTab[])
    .filter((tab) => tab === 'members' || hasInbox)
    .map((tab) => ({ name: names[tab], to: addresses[tab], isCurrent: tab === current }));
}
