// The settings of the inbox, in front of the conversations: one page at a time, each with an address. They are parts of the section
// "Team" of the console, whose tabs lead to them.
import { useEffect } from 'preact/hooks';
import { TabLinks } from '../../../console/TabLinks.tsx';
import { teamTabs } from '../../../console/team/tabs.ts';
import { t } from '../../../ui/texts.ts';
import { FrontPage } from '../components/FrontPage.tsx';
import { focusSettingsName } from '../components/focus.ts';
import type { Inbox } from '../inbox.ts';
import type { SettingsPage } from '../state/route.ts';
import { AnswersSettings } from './AnswersSettings.tsx';
import { HoursSettings } from './HoursSettings.tsx';
import { SettingsName } from './SettingsName.tsx';
import { TeamsSettings } from './TeamsSettings.tsx';
import '../style/settings.css';

const HoursPage = ({ inbox }: { inbox: Inbox }) => (
  <section class="section" aria-labelledby="settings-page">
    <SettingsName page="hours" />
    <HoursSettings api={inbox.api.inbox} permissions={inbox.me.permissions} />
  </section>
);

const pages = { answers: AnswersSettings, hours: HoursPage, teams: TeamsSettings } satisfies Record<
  SettingsPage,
  unknown
>;

export function Settings({ inbox, page }: { inbox: Inbox; page: SettingsPage }) {
  useEffect(() => void focusSettingsName(), [page]);
  const Page = pages[page];
  return (
    <FrontPage
      inbox={inbox}
      kind="settings"
      title={t('Team')}
      tabs={<TabLinks label={t('Team')} tabs={teamTabs(page, true)} />}
    >
      <Page inbox={inbox} />
    </FrontPage>
  );
}
