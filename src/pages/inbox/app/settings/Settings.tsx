// The settings of the inbox, in front of the conversations: one page at a time, each with an address.
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/Icon.tsx';
import { Link } from '../components/Link.tsx';
import type { Inbox } from '../inbox.ts';
import { type SettingsPage, settingsNames, settingsPages } from '../state/route.ts';
import { AnswersSettings } from './AnswersSettings.tsx';
import { HoursSettings } from './HoursSettings.tsx';
import { TeamsSettings } from './TeamsSettings.tsx';

const pages = { answers: AnswersSettings, hours: HoursSettings, teams: TeamsSettings } satisfies Record<
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
          <span class="visually-hidden">Back to the conversations</span>
        </Link>
        <h2 id="settings-name" tabIndex={-1} ref={heading}>
          {settingsNames[page]}
        </h2>
      </div>
      <nav class="tabs" aria-label="Settings">
        <ul>
          {settingsPages.map((each) => (
            <li key={each}>
              <Link
                inbox={inbox}
                isReplacing
                to={{ ...route.value, settings: each }}
                aria-current={each === page ? 'page' : undefined}
              >
                {settingsNames[each]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div class="scroll">
        <Page inbox={inbox} />
      </div>
    </section>
  );
}
