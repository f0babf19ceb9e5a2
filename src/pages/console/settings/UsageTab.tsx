// The usage of each bot by its visitors, and the limits of the server.
import type { BotUsage, UsageLimits } from '../../../protocol/types/admin.ts';
import { Empty, Loading, Problem, Progress, Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { t, textLanguage } from '../../ui/texts.ts';
import { sizeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';

type Row = BotUsage & { limits: UsageLimits };

export function UsageTab() {
  const { client } = useConsole();
  const { items, problem, reload, hasMore, isLoading, more } = usePaged<Row>(async (nextToken) => {
    const { bots, limits, meta } = await client.getWorkspaceUsage(nextToken ? { nextToken } : {});
    return { items: bots.map((bot) => ({ ...bot, limits })), nextToken: meta.nextToken };
  }, 'usage');
  if (!items) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  if (items.length === 0) return <Empty>{t('There are no bots yet.')}</Empty>;
  return (
    <>
      <p class="intro">
        {t(
          'Messages and files of visitors count; messages of bots and of the team do not. Above a limit, visitors are asked to try again later. Who runs the server sets the limits (QUOTA_BOT_…).',
        )}
      </p>
      {items.map((row) => (
        <BotSection key={row.id} row={row} />
      ))}
      {problem && <Problem text={problem} onRetry={more} />}
      {hasMore && (
        <p class="more">
          <button type="button" aria-disabled={isLoading} onClick={more}>
            {t('Show more')}
          </button>
        </p>
      )}
    </>
  );
}

const numberText = (value: number): string => value.toLocaleString(textLanguage());

function BotSection({ row }: { row: Row }) {
  const { name, conversations, messages, files, bytes, hourMessages, limits } = row;
  const most = 100_000;
  return (
    <Section
      title={name}
      intro={
        conversations >= most
          ? t('More than {count} conversations', { count: numberText(most) })
          : t('Conversations: {count}', { count: numberText(conversations) })
      }
    >
      <Progress label={t('Messages')} value={messages} max={limits.messages} />
      <Progress label={t('Files')} value={files} max={limits.files} />
      <Progress
        label={t('Stored')}
        value={bytes}
        max={limits.bytes}
        text={limits.bytes === undefined ? sizeText(bytes) : `${sizeText(bytes)} / ${sizeText(limits.bytes)}`}
      />
      <Progress label={t('Messages in this hour')} value={hourMessages} max={limits.hourMessages} />
    </Section>
  );
}
