// The settings of the workspace and of the server, in tabs.
import type { ComponentType } from 'preact';
import { Page, Problem } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { TeamAlerts } from '../alerts/TeamAlerts.tsx';
import { useConsole } from '../console.ts';
import type { ConsoleRoute } from '../route.ts';
import { TabLinks } from '../TabLinks.tsx';
import { AuditTab } from './AuditTab.tsx';
import { BackupTab } from './BackupTab.tsx';
import { MailTab } from './MailTab.tsx';
import { TokensTab } from './TokensTab.tsx';
import { type SettingsTab, settingsTabs, shownTabs, tabName } from './tabs.ts';
import { UsageTab } from './UsageTab.tsx';
import { WebhooksTab } from './WebhooksTab.tsx';
import { WorkspaceTab } from './WorkspaceTab.tsx';

const contents: Record<SettingsTab, ComponentType> = {
  workspace: WorkspaceTab,
  tokens: TokensTab,
  webhooks: () => (
    <>
      <WebhooksTab />
      <TeamAlerts />
    </>
  ),
  audit: AuditTab,
  usage: UsageTab,
  mail: MailTab,
  backup: BackupTab,
};

export function Screen({ route }: { route: ConsoleRoute }) {
  const { may } = useConsole();
  const current = settingsTabs.find((tab) => tab === route.tab) ?? 'workspace';
  const shown = shownTabs(may);
  const Content = contents[current];
  return (
    <Page
      title={t('Settings')}
      focusKey={`settings ${current}`}
      tabs={
        <TabLinks
          label={t('Settings')}
          tabs={shown.map((tab) => ({
            name: tabName(tab),
            to: { page: 'settings', tab },
            isCurrent: tab === current,
          }))}
        />
      }
    >
      {shown.includes(current) ? (
        <Content />
      ) : (
        <Problem text={t('Your role does not include this section.')} />
      )}
    </Page>
  );
}
