// The questions of visitors for which the knowledge of a bot had nothing, newest first.
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';

export function UnansweredQuestions({ botId }: { botId: string }) {
  const { client } = useConsole();
  const list = usePaged(async (nextToken) => {
    const { questions, meta } = await client.listUnansweredQuestions({
      id: botId,
      ...(nextToken && { nextToken }),
    });
    return { items: questions, nextToken: meta.nextToken };
  }, botId);
  return (
    <Section
      title={t('Asked and not found')}
      intro={t(
        'Visitors asked this, and no file had an answer. Add a file about it, or answer them yourself.',
      )}
    >
      <Table
        caption={t('Asked and not found')}
        list={list}
        keyOf={({ messageId }) => messageId}
        columns={[
          {
            name: t('Question'),
            cell: ({ text, conversationId }) => (
              <Link to={`?list=bot&conversation=${encodeURIComponent(conversationId)}`}>
                <bdi>{text}</bdi>
              </Link>
            ),
          },
          {
            name: t('Time'),
            cell: ({ askedAt }) => timeText(askedAt),
          },
        ]}
        empty={t('No question was without an answer so far.')}
      />
    </Section>
  );
}
