// The failures of a bot: its log, and the events that could not be delivered.
import { useState } from 'preact/hooks';
import type { DeadLetter } from '../../../protocol/types/bots.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { useRequests } from '../../ui/requests.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';

export function BotErrors({ botId }: { botId: string }) {
  const { client, may } = useConsole();
  const requests = useRequests();
  const [removed, setRemoved] = useState<DeadLetter>();
  const letters = usePaged(async (nextToken) => {
    const { deadLetters, meta } = await client.listDeadLetters({
      id: botId,
      ...(nextToken && { nextToken }),
    });
    return { items: deadLetters, nextToken: meta.nextToken };
  }, botId);
  const logs = usePaged(async (nextToken) => {
    const { logs, meta } = await client.listBotLogs({ id: botId, ...(nextToken && { nextToken }) });
    return { items: logs, nextToken: meta.nextToken };
  }, botId);
  const without = ({ eventId }: DeadLetter) =>
    letters.change((items) => items.filter((item) => item.eventId !== eventId));
  const hasLetters = (letters.items?.length ?? 0) > 0;
  return (
    <>
      {(hasLetters || letters.problem) && (
        <Section
          title={t('Messages that were not delivered')}
          intro={t(
            'The program of the bot did not accept them in several attempts. Deliver them again when it works, or delete them.',
          )}
        >
          <Table
            caption={t('Messages that were not delivered')}
            list={letters}
            keyOf={({ eventId }) => eventId}
            columns={[
              { name: t('Failed'), cell: ({ failedAt }) => timeText(failedAt) },
              { name: t('Reason'), cell: ({ reason }) => reason },
              { name: t('Attempts'), cell: ({ attempts }) => attempts, isNumber: true },
              {
                name: t('Actions'),
                isActions: true,
                cell: (letter) =>
                  may('logs.write') && (
                    <div class="buttons">
                      <button
                        type="button"
                        onClick={() =>
                          requests.run(async () => {
                            await client.redeliverDeadLetter({ id: botId, eventId: letter.eventId });
                            without(letter);
                            toast(t('It is being delivered again.'));
                          })
                        }
                      >
                        {t('Deliver again')}
                      </button>
                      <button type="button" class="danger" onClick={() => setRemoved(letter)}>
                        {t('Delete')}
                      </button>
                    </div>
                  ),
              },
            ]}
            empty=""
          />
          <p class="problem" role="alert">
            {requests.message}
          </p>
        </Section>
      )}
      <Section
        title={t('Recent events')}
        intro={t('Failures and repeated attempts, without texts of visitors.')}
        actions={
          <button type="button" onClick={logs.reload}>
            {t('Refresh')}
          </button>
        }
      >
        <Table
          caption={t('Recent events')}
          list={logs}
          keyOf={({ id }) => id}
          columns={[
            { name: t('Time'), cell: ({ timestamp }) => timeText(timestamp) },
            {
              name: t('Kind'),
              cell: ({ level }) => (
                <span class="badge" data-state={level === 'error' ? 'bad' : undefined}>
                  {level === 'error' ? t('Error') : level === 'warn' ? t('Warning') : t('Notice')}
                </span>
              ),
            },
            { name: t('What happened'), cell: ({ message }) => message },
            {
              name: t('Conversation'),
              cell: ({ conversationId }) =>
                may('inbox.read') ? (
                  <Link to={`?conversation=${encodeURIComponent(conversationId)}`}>{t('Open')}</Link>
                ) : (
                  ''
                ),
            },
          ]}
          empty={t('Nothing went wrong.')}
        />
      </Section>
      {removed && (
        <ConfirmDialog
          title={t('Delete this message?')}
          button={t('Delete')}
          onClose={() => setRemoved(undefined)}
          onConfirm={async () => {
            await client.deleteDeadLetter({ id: botId, eventId: removed.eventId });
            without(removed);
            toast(t('It was deleted.'));
          }}
        >
          <p>{t('The bot never gets it. The conversation itself stays as it is.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
