// The figures of a report at a glance, and how many conversations and requests for a person there were on each day.
import type { Report } from '../../../../protocol/inbox.ts';
import { Chart, ColumnChart, Legend } from './charts.tsx';
import {
  type Bar,
  barsOf,
  countText,
  decimalText,
  durationText,
  numberText,
  shareText,
} from './figure-texts.ts';
import { ReportTable, SaveButton, Section, type SectionProps } from './ReportTable.tsx';

/** The figures at a glance; the sections say more. */
export function KeyFigures({ report }: Pick<SectionProps, 'report'>) {
  const { days, firstResponse, response, ratings, requested, abandoned } = report;
  const { conversations, handedOver } = totalsOf(barsOf(days).bars);
  const hasConversations = days.some((day) => day.conversations !== undefined);
  const figures: [name: string, value: string][] = [
    ...(hasConversations
      ? ([
          ['Conversations', numberText(conversations)],
          ['Person asked for', shareText(handedOver, conversations)],
        ] satisfies [string, string][])
      : ([['Requests', numberText(requested)]] satisfies [string, string][])),
    ['First response', durationText(firstResponse.median)],
    ['Response', durationText(response.median)],
    ['Abandoned', shareText(abandoned, requested)],
    ['Rating', ratings.mean === undefined ? '–' : `${decimalText(ratings.mean)} of 5`],
  ];
  return (
    <dl class="key-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function totalsOf(bars: readonly Bar[]): Pick<Bar, 'conversations' | 'handedOver'> {
  let [conversations, handedOver] = [0, 0];
  for (const bar of bars) {
    conversations += bar.conversations;
    handedOver += bar.handedOver;
  }
  return { conversations, handedOver };
}

/** Conversations of each day; of one member or one team, the requests for a person. */
export function Volume({ report, save }: SectionProps) {
  const { bars, isByWeek } = barsOf(report.days);
  const hasConversations = report.days.some(({ conversations }) => conversations !== undefined);
  const unit = isByWeek ? 'week' : 'day';
  const label = `Bars: ${hasConversations ? 'conversations' : 'requests for a person'} of each ${unit}. The table has the numbers.`;
  if (!hasConversations)
    return (
      <Section name="Requests for a person" summary={requestsText(report)}>
        <Chart>
          <ColumnChart
            label={label}
            columns={bars.map((bar) => ({ label: bar.label, parts: [['striped', bar.requested]] }))}
          />
        </Chart>
        <div>
          <ReportTable
            caption={`Requests of each ${unit}`}
            columns={[isByWeek ? 'Week' : 'Day', 'Requests']}
            rows={bars.map((bar) => [bar.label, numberText(bar.requested)])}
          />
          <SaveButton table="days" what="requests of each day" save={save} />
        </div>
      </Section>
    );
  const { conversations, handedOver } = totalsOf(bars);
  return (
    <Section
      name="Conversations"
      summary={
        conversations === 0
          ? 'No conversations began.'
          : `${countText(conversations, 'conversation')} began; in ${numberText(handedOver)} of them (${shareText(handedOver, conversations)}) a person was asked for. ${requestsText(report)}`
      }
    >
      <Chart>
        <ColumnChart
          label={label}
          columns={bars.map((bar) => ({
            label: bar.label,
            parts: [
              ['striped', bar.handedOver],
              ['plain', bar.conversations - bar.handedOver],
            ],
          }))}
        />
        <Legend
          entries={[
            ['plain', 'With the bot only'],
            ['striped', 'A person was asked for'],
          ]}
        />
      </Chart>
      <div>
        <ReportTable
          caption={`Conversations of each ${unit}`}
          columns={[isByWeek ? 'Week' : 'Day', 'Conversations', 'Person asked for', 'Share', 'Requests']}
          rows={bars.map((bar) => [
            bar.label,
            numberText(bar.conversations),
            numberText(bar.handedOver),
            shareText(bar.handedOver, bar.conversations),
            numberText(bar.requested),
          ])}
        />
        <SaveButton table="days" what="conversations of each day" save={save} />
      </div>
    </Section>
  );
}

function requestsText({ requested, unanswered, abandoned }: Report): string {
  if (requested === 0) return 'Nobody asked for a person.';
  return `${countText(requested, 'request')} for a person: ${numberText(unanswered)} without a reply, ${numberText(abandoned)} (${shareText(abandoned, requested)}) abandoned.`;
}
