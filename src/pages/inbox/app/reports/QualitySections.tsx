// How fast people answered, and how visitors rated them.
import { counted, t } from '../../../ui/texts.ts';
import { BarList, Chart, Legend } from './charts.tsx';
import { decimalText, durationText, numberText, shareText, spreadText } from './figure-texts.ts';
import { ReportTable, SaveButton, Section, type SectionProps } from './ReportTable.tsx';

export function Times({ report, save }: SectionProps) {
  const measures = [
    [t('First response'), report.firstResponse],
    [t('Response'), report.response],
    [t('Resolution'), report.resolution],
  ] as const;
  const measured = measures.filter(([, { count }]) => count > 0);
  const texts = measured.map(([name, durations]) => `${name}: ${spreadText(durations)}.`);
  return (
    <Section name={t('Times')} summary={texts.length > 0 ? texts.join(' ') : t('Nobody was answered.')}>
      <Chart>
        <BarList
          label={t(
            'Bars: median and 90th percentile of each time, each on a scale of its own. The table has the numbers.',
          )}
          rows={measured.map(([name, { median = 0, p90 = 0 }]) => ({
            name,
            bars: [
              { fill: 'plain', share: p90 === 0 ? 0 : median / p90, text: durationText(median) },
              { fill: 'striped', share: p90 === 0 ? 0 : 1, text: durationText(p90) },
            ],
          }))}
        />
        <Legend
          entries={[
            ['plain', t('Half were faster (median)')],
            ['striped', t('Nine of ten were faster')],
          ]}
        />
      </Chart>
      <div>
        <ReportTable
          caption={t('Times on the clock, also outside of the opening hours')}
          columns={[t('Time'), t('Number'), t('Median'), t('90th percentile')]}
          rows={measures.map(([name, { count, median, p90 }]) => [
            name,
            numberText(count),
            durationText(median),
            durationText(p90),
          ])}
        />
        <SaveButton table="figures" what={t('all figures')} save={save} />
      </div>
    </Section>
  );
}

export function Ratings({ report: { ratings } }: Pick<SectionProps, 'report'>) {
  const { counts, given, offered, mean = 0, good = 0 } = ratings;
  const stars = counts.map((count, index) => ({ name: `${index + 1}`, count })).reverse();
  const most = Math.max(1, ...counts);
  return (
    <Section
      name={t('Ratings')}
      summary={
        given === 0
          ? counted(
              offered,
              'No ratings; {count} visitor was asked.',
              'No ratings; {count} visitors were asked.',
            )
          : `${counted(
              given,
              '{count} rating with a mean of {mean} of 5; {share} are 4 or 5.',
              '{count} ratings with a mean of {mean} of 5; {share} are 4 or 5.',
              { mean: decimalText(mean), share: shareText(good, 1) },
            )} ${counted(offered, '{count} visitor was asked.', '{count} visitors were asked.')}`
      }
    >
      {given > 0 && (
        <>
          <Chart>
            <BarList
              hasShortNames
              label={t('Bars: how many ratings of each value were given. The table has the numbers.')}
              rows={stars.map(({ name, count }) => ({
                name,
                bars: [
                  {
                    fill: Number(name) >= 4 ? 'plain' : 'striped',
                    share: count / most,
                    text: numberText(count),
                  },
                ],
              }))}
            />
            <Legend
              entries={[
                ['plain', t('4 and 5')],
                ['striped', t('1 to 3')],
              ]}
            />
          </Chart>
          <ReportTable
            caption={t('Ratings by value')}
            columns={[t('Rating'), t('Number'), t('Share')]}
            rows={stars.map(({ name, count }) => [name, numberText(count), shareText(count, given)])}
          />
        </>
      )}
    </Section>
  );
}
