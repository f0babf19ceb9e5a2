// Work of each member, and questions that the bot did not answer.
import { focusConversation } from '../components/focus.ts';
import { Link } from '../components/Link.tsx';
import type { Inbox } from '../inbox.ts';
import { BarList, type BarRow, Chart, Legend } from './charts.tsx';
import {
  countText,
  decimalText,
  durationText,
  memberNames,
  mostRepliesText,
  numberText,
} from './figure-texts.ts';
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
    ? 'Nobody replied.'
    : isOwn
      ? `You wrote ${countText(first.replies, 'reply', 'replies')} and were assigned ${countText(first.assigned, 'conversation')}.`
      : ofAll;
  return (
    <Section name={isOwn ? 'Your work' : 'Members'} summary={summary}>
      {first && (
        <>
          <Chart>
            <BarList
              label="Bars: replies and assigned conversations of members. The table has the numbers."
              rows={rows}
            />
            <Legend
              entries={[
                ['plain', 'Replies'],
                ['striped', 'Assigned conversations'],
              ]}
            />
          </Chart>
          <div class="whole">
            <ReportTable
              caption="Work of members"
              columns={[
                'Member',
                'Replies',
                'Assigned',
                'Time assigned',
                'First response',
                'Response',
                'Rating',
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
            <SaveButton table="members" what="work of members" save={save} />
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
      name="Questions without an answer"
      summary={
        first ? (
          <>
            {countText(questions.length, 'question')} before a request for a person, a bad rating of the
            answer or a search without a result, each in at least 3 conversations. The most frequent one: “
            <bdi>{first.text}</bdi>”
          </>
        ) : (
          'No question was asked in 3 conversations without an answer of the bot.'
        )
      }
    >
      {first && (
        <div class="whole questions">
          <ReportTable
            caption="Questions by the number of their conversations"
            columns={['Question', 'Conversations', 'Last one']}
            rows={questions.map(({ text, count, conversationId }) => [
              text,
              numberText(count),
              <Link
                key={conversationId}
                inbox={inbox}
                to={{ list: 'all', conversationId, isVisitorShown: false }}
                onOpen={focusConversation}
                aria-label={`Open the last conversation with: ${text}`}
              >
                Open
              </Link>,
            ])}
          />
          <SaveButton table="questions" what="questions" save={save} />
        </div>
      )}
    </Section>
  );
}
