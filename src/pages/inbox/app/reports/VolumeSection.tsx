// The figures of a report at a glance, and how many conversations and requests for a person there were on each day.
import type { Report } from '../../../../protocol/inbox.ts';
import { counted, t } from '../../../ui/texts.ts';
import { Chart, ColumnChart, Legend } from './charts.tsx';
import { type Bar, barsOf, decimalText, durationText, numberText, shareText } from './figure-texts.ts';
import { ReportTable, SaveButton, Section, type SectionProps } from './ReportTable.tsx';

/** The figures at a glance; the sections say more. */
export function KeyFigures({ report }: Pick<SectionProps, 'report'>) {
  const { days, firstResponse, response, ratings, requested, abandoned } = report;
  const { conversations, handedOver } = totalsOf(barsOf(days).bars);
  const hasConversations = days.some((day) => day.conversations !== undefined);
  const figures: [name: string, value: string][] = [
    ...(hasConversations
      ? ([
          [t('Conversations'), numberText(conversations)],
          [t('Asked for a person'), shareText(handedOver, conversations)],
        ] satisfies [string, string][])
      : ([[t('Requests'), numberText(requested)]] satisfies [string, string][])),
    [t('First response'), durationText(firstResponse.median)],
    [t('Response'), durationText(response.median)],
    [t('Abandoned'), shareText(abandoned, requested)],
    [t('Rating'), ratings.mean === undefined ? '–' : t('{mean} of 5', { mean: decimalText(ratings.mean) })],
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
  const label = chartLabel(hasConversations, isByWeek);
  const unit = isByWeek ? t('Week') : t('Day');
  if (!hasConversations)
    return (
      <Section name={t('Requests for a person')} summary={requestsText(report)}>
        <Chart>
          <ColumnChart
            label={label}
            columns={bars.map((bar) => ({ label: bar.label, parts: [['striped', bar.requested]] }))}
          />
        </Chart>
        <div>
          <ReportTable
            caption={isByWeek ? t('Requests of each week') : t('Requests of each day')}
            columns={[unit, t('Requests')]}
            rows={bars.map((bar) => [bar.label, numberText(bar.requested)])}
          />
          <SaveButton table="days" what={t('requests of each day')} save={save} />
        </div>
      </Section>
    );
  const { conversations, handedOver } = totalsOf(bars);
  return (
    <Section
      name={t('Conversations')}
      summary={
        conversations === 0
          ? t('No conversations began.')
          : `${counted(
              conversations,
              '{count} conversation began; {requested} of them ({share}) asked for a person.',
              '{count} conversations began; {requested} of them ({share}) asked for a person.',
              { requested: numberText(handedOver), share: shareText(handedOver, conversations) },
            )} ${requestsText(report)}`
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
            ['plain', t('With the bot only')],
            ['striped', t('Asked for a person')],
          ]}
        />
      </Chart>
      <div>
        <ReportTable
          caption={isByWeek ? t('Conversations of each week') : t('Conversations of each day')}
          columns={[unit, t('Conversations'), t('Asked for a person'), t('Share'), t('Requests')]}
          rows={bars.map((bar) => [
            bar.label,
            numberText(bar.conversations),
            numberText(bar.handedOver),
            shareText(bar.handedOver, bar.conversations),
            numberText(bar.requested),
          ])}
        />
        <SaveButton table="days" what={t('conversations of each day')} save={save} />
      </div>
    </Section>
  );
}

function requestsText({ requested, unanswered, abandoned }: Report): string {
  if (requested === 0) return t('Nobody asked for a person.');
  return counted(
    requested,
    '{count} request for a person: {unanswered} without a reply, {abandoned} ({share}) abandoned.',
    '{count} requests for a person: {unanswered} without a reply, {abandoned} ({share}) abandoned.',
    {
      unanswered: numberText(unanswered),
      abandoned: numberText(abandoned),
      share: shareText(abandoned, requested),
    },
  );
}

function chartLabel(hasConversations: boolean, isByWeek: boolean): string {
  if (hasConversations)
    return isByWeek
      ? t('Bars: conversations of each week. The table has the numbers.')
      : t('Bars: conversations of each day. The table has the numbers.');
  return isByWeek
    ? t('Bars: requests for a person of each week. The table has the numbers.')
    : t('Bars: requests for a person of each day. The table has the numbers.');
}
