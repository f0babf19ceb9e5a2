// The screen of one bot: its name and its parts.
import { ApiError } from '../../../client/core/errors.ts';
import type { Bot } from '../../../protocol/types/bots.ts';
import { useCode } from '../../ui/code.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useLoaded } from '../../ui/loaded.ts';
import { CodeState, Loading, Page, Problem } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import { TabLinks } from '../TabLinks.tsx';
import type { TabProps } from './tab-props.ts';
import { type BotTab, botTabs, tabs } from './tabs.ts';

interface Props {
  id: string;
  tab: string | undefined;
}

export function BotScreen({ id, tab: wanted }: Props) {
  const { client, may } = useConsole();
  const allowed = botTabs.filter((tab) => may(tabs[tab].permission));
  const tab = allowed.find((each) => each === wanted) ?? 'answers';
  const {
    value: bot,
    problem,
    reload,
  } = useLoaded<Bot | null>(
    () =>
      client.getBot({ id }).then(
        ({ bot }) => bot,
        (error: unknown) => {
          if (error instanceof ApiError && error.type === 'ResourceNotFound') return null;
          throw error;
        },
      ),
    id,
  );
  const above = (
    <p class="above">
      <Link to={{ page: 'bots' }} class="back-link">
        <Icon name="back" />
        {t('All bots')}
      </Link>
    </p>
  );
  if (!bot) {
    return (
      <Page title={t('Bot')} above={above} focusKey={id}>
        {bot === null ? (
          <Problem text={t('This bot does not exist. Perhaps it was deleted.')} />
        ) : problem ? (
          <Problem text={problem} onRetry={reload} />
        ) : (
          <Loading />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={bot.name}
      above={above}
      focusKey={`${id} ${tab}`}
      tabs={
        <TabLinks
          label={t('Parts of the bot')}
          tabs={allowed.map((each) => ({
            name: tabs[each].name(),
            to: { page: 'bots', bot: id, tab: each },
            isCurrent: each === tab,
          }))}
        />
      }
    >
      <LoadedTab key={tab} tab={tab} bot={bot} />
    </Page>
  );
}

function LoadedTab({ tab, bot }: TabProps & { tab: BotTab }) {
  const { loaded, retry } = useCode(tabs[tab].load);
  if (loaded) return <loaded.Tab bot={bot} />;
  return <CodeState text={t('This part could not be loaded.')} retry={retry} />;
}
