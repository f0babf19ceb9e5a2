// The settings of the inbox, in front of the conversations: one page at a time, each with an address.
import { useEffect, useRef } from 'preact/hooks';
import { TabLinks } from '../../../console/Link.tsx';
import { teamTabs } from '../../../console/team/tabs.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import { Link } from '../components/Link.tsx';
import type { Inbox } from '../inbox.ts';
import { type SettingsPage, settingsNameOf } from '../state/route.ts';
import { AnswersSettings } from './AnswersSettings.tsx';
import { HoursSettings } from './HoursSettings.tsx';
import { TeamsSettings } from './TeamsSettings.tsx';
import '../style/settings.css';

const HoursPage = ({ inbox }: { inbox: Inbox }) => (
  <HoursSettings api={inbox.api.inbox} permissions={inbox.me.permissions} />
);

const pages = { answers: AnswersSettings, hours: HoursPage, teams: TeamsSettings } satisfies Record<
  SettingsPage,
  unknown
>;

export function Settings({ inbox, page }: { inbox: Inbox; page: SettingsPage }) {
  const { route } = inbox.router;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [page]);
  const Page = pages[page];
  return (
    <section class="pane settings" aria-labelledby="settings-name">
      <div class="bar">
        <Link inbox={inbox} class="plain back" isBack to={{ ...route.value, settings: undefined }}>
          <Icon name="back" />
          <span class="visually-hidden">{t('Back to the conversations')}</span>
        </Link>
        <h2 id="settings-name" tabIndex={-1} ref={heading}>
          {settingsNameOf(page)}
        </h2>
      </div>
      <TabLinks label={t('Team')} tabs={teamTabs(page, true)} />
      <div class="scroll">
        <Page inbox={inbox} />
      </div>
    </section>
  );
}
