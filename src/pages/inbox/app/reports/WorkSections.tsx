// Work of each member, and questions that the bot did not answer.
import { counted, t, withParts } from '../../../ui/texts.ts';
import { focusConversation } from '../components/focus.ts';
import { Link } from '../components/Link.tsx';
import type { Inbox } from '../inbox.ts';
import { BarList, type BarRow, Chart, Legend } from './charts.tsx';
import { decimalText, durationText, memberNames, mostRepliesText, numberText } from './figure-texts.ts';
import { ReportTable, SaveButton, Section, type SectionProps } from './ReportTable.tsx';

/** Members in the chart; the table has all. */
const chartMembers = 10;

export function Load({ report: { members, isOwn }, save }: SectionProps) {
  const names = memberNames(members);
  const most = Math.max(1, ...members.flatMap(({ replies, assigned }) => [replies, assigned]));
  const rows = members.slice(0, chartMembers).map(
    (member, index): BarRow => ({
      name: names[index] ?? '',
      bars: [
        { fill: 'plain', share: member.replies / most, text: numberText(member.replies) },
        { fill: 'striped', share: member.assigned / most, text: numberText(member.assigned) },
      ],
    }),
  );
  const [first] = members;
  const [before, name, after] = mostRepliesText(
    members.map(({ replies }, index) => ({ name: names[index] ?? '', replies })),
  );
  const ofAll = (
    <>
      {before}
      {name && <bdi>{name}</bdi>}
      {after}
    </>
  );
  const summary = !first
    ? t('Nobody replied.')
    : isOwn
      ? t('You wrote {replies} and were assigned {conversations}.', {
          replies: counted(first.replies, '{count} reply', '{count} replies'),
          conversations: counted(first.assigned, '{count} conversation', '{count} conversations'),
        })
      : ofAll;
  return (
    <Section name={isOwn ? t('Your work') : t('Members')} summary={summary}>
      {first && (
        <>
          <Chart>
            <BarList
              label={t('Bars: replies and assigned conversations of members. The table has the numbers.')}
              rows={rows}
            />
            <Legend
              entries={[
                ['plain', t('Replies')],
                ['striped', t('Assigned conversations')],
              ]}
            />
          </Chart>
          <div class="whole">
            <ReportTable
              caption={t('Work of members')}
              columns={[
                t('Member'),
                t('Replies'),
                t('Assigned'),
                t('Time assigned'),
                t('First response'),
                t('Response'),
                t('Rating'),
              ]}
              rows={members.map((member, index) => [
                names[index] ?? '',
                numberText(member.replies),
                numberText(member.assigned),
                durationText(member.assignedTime),
                durationText(member.firstResponse.median),
                durationText(member.response.median),
                member.ratings.mean === undefined
                  ? '–'
                  : `${decimalText(member.ratings.mean)} (${numberText(member.ratings.given)})`,
              ])}
            />
            <SaveButton table="members" what={t('work of members')} save={save} />
          </div>
        </>
      )}
    </Section>
  );
}

export function Questions({ report: { questions }, save, inbox }: SectionProps & { inbox: Inbox }) {
  if (!questions) return null;
  const [first] = questions;
  return (
    <Section
      name={t('Questions without an answer')}
      summary={
        first
          ? withParts(
              counted(
                questions.length,
                '{count} question before a request for a person, a bad rating of the answer or a search without a result, each in at least 3 conversations. The most frequent one: “{question}”',
                '{count} questions before a request for a person, a bad rating of the answer or a search without a result, each in at least 3 conversations. The most frequent one: “{question}”',
              ),
              { question: <bdi>{first.text}</bdi> },
            )
          : t('No question was asked in 3 conversations without an answer of the bot.')
      }
    >
      {first && (
        <div class="whole questions">
          <ReportTable
            caption={t('Questions by the number of their conversations')}
            columns={[t('Question'), t('Conversations'), t('Last one')]}
            rows={questions.map(({ text, count, conversationId }) => [
              text,
              numberText(count),
              <Link
                key={conversationId}
                inbox={inbox}
                to={{ list: 'all', conversationId, isVisitorShown: false }}
                onOpen={focusConversation}
                aria-label={t('Open the last conversation with: {question}', { question: text })}
              >
                {t('Open')}
              </Link>,
            ])}
          />
          <SaveButton table="questions" what={t('questions')} save={save} />
        </div>
      )}
    </Section>
  );
}
