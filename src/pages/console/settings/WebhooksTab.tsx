// The addresses to which bots send their events, with what went wrong, and the kinds of events.
import type { DeadLetter } from '../../../protocol/types/bots.ts';
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';

/** A bot that sends its events to an address. */
interface Webhook {
  botId: string;
  name: string;
  url: string;
  /** The last problem in its log. */
  failure?: { time: string; text: string } | undefined;
  /** Events that were given up; at most one page of them. */
  undelivered: number;
}

export function WebhooksTab() {
  const { client, may } = useConsole();
  const hasLogs = may('logs.read');
  const list = usePaged<Webhook>(async (nextToken) => {
    const { bots, meta } = await client.listBots(nextToken ? { nextToken } : {});
    const found = await Promise.all(
      bots.map(async ({ id, name }): Promise<Webhook[]> => {
        const { deployment } = await client.getBotDeployment({ id });
        if (deployment.webhookUrl === undefined) return [];
        const [logs, letters] = hasLogs
          ? await Promise.all([client.listBotLogs({ id, level: 'error' }), client.listDeadLetters({ id })])
          : [undefined, undefined];
        const last = logs?.logs[0];
        return [
          {
            botId: id,
            name,
            url: deployment.webhookUrl,
            failure: last && { time: last.timestamp, text: last.message },
            undelivered: letters?.deadLetters.length ?? 0,
          },
        ];
      }),
    );
    return { items: found.flat(), nextToken: meta.nextToken };
  }, 'webhooks');
  return (
    <>
      <Section
        title={t('Webhooks')}
        intro={t(
          'A bot with a webhook sends its events to a program of yours, which answers. The address is changed at the bot.',
        )}
      >
        <Table
          caption={t('Webhooks')}
          list={list}
          keyOf={({ botId }) => botId}
          columns={[
            {
              name: t('Bot'),
              cell: ({ botId, name }) => (
                <Link to={{ page: 'bots', bot: botId, tab: 'answers' }}>{name}</Link>
              ),
            },
            { name: t('Address'), cell: ({ url }) => url },
            {
              name: t('State'),
              cell: ({ failure, undelivered }) =>
                failure || undelivered > 0 ? (
                  <>
                    <span class="badge" data-state="bad">
                      {undelivered > 0
                        ? t('Events not delivered: {count}', { count: undelivered })
                        : t('Has had errors')}
                    </span>
                    {failure && (
                      <span class="second">
                        {timeText(failure.time)}: {failure.text}
                      </span>
                    )}
                  </>
                ) : hasLogs ? (
                  <span class="badge" data-state="good">
                    {t('No errors')}
                  </span>
                ) : (
                  <span class="hint">{t('Your role does not include logs.')}</span>
                ),
            },
          ]}
          empty={t('No bot sends its events to a webhook.')}
        />
      </Section>
      <Section
        title={t('Events')}
        intro={t('An event has one of these types. A bot gets those of its own conversations.')}
      >
        <dl class="fact-list">
          {eventTexts().map(([name, text]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}

/** The types of events in words; the compiler reports a missing one. */
function eventTexts(): [DeadLetter['type'], string][] {
  const texts: Record<DeadLetter['type'], string> = {
    message: t('A visitor has written.'),
    custom: t('The page has sent an event of its own.'),
    conversation_started: t('A conversation has begun.'),
    feedback: t('A visitor has rated an answer.'),
    user_merged: t('A visitor was recognized as a known user.'),
    resume: t('The bot is woken at a time that it has chosen.'),
    handoff_requested: t('The visitor or the bot has asked for a person.'),
    conversation_assigned: t('A person has taken the conversation.'),
    handoff_ended: t('The bot answers again.'),
    conversation_closed: t('A person has closed the conversation.'),
    conversation_rated: t('A visitor has rated the conversation.'),
    message_for_person: t('A visitor has written to a person.'),
  };
  return Object.entries(texts) as [DeadLetter['type'], string][];
}
