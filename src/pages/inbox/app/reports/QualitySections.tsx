// How fast people answered, and how visitors rated them.
import { BarList, Chart, Legend } from './charts.tsx';
import { countText, decimalText, durationText, numberText, shareText, spreadText } from './figure-texts.ts';
import { ReportTable, SaveButton, Section, type SectionProps } from './ReportTable.tsx';

export function Times({ report, save }: SectionProps) {
  const measures = [
    ['First response', report.firstResponse],
    ['Response', report.response],
    ['Resolution', report.resolution],
  ] as const;
  const found = measures.filter(([, { count }]) => count > 0);
  const texts = found.map(([name, durations]) => `${name}: ${spreadText(durations)}.`);
  return (
    <Section name="Times" summary={texts.length > 0 ? texts.join(' ') : 'Nobody was answered.'}>
      <Chart>
        <BarList
          label="Bars: median and 90th percentile of each time, each on a scale of its own. The table has the numbers."
          rows={found.map(([name, { median = 0, p90 = 0 }]) => ({
            name,
            bars: [
              { fill: 'plain', share: p90 === 0 ? 0 : median / p90, text: durationText(median) },
              { fill: 'striped', share: p90 === 0 ? 0 : 1, text: durationText(p90) },
            ],
          }))}
        />
        <Legend
          entries={[
            ['plain', 'Half were faster (median)'],
            ['striped', 'Nine of ten were faster'],
          ]}
        />
      </Chart>
      <div>
        <ReportTable
          caption="Times on the clock, also outside of the opening hours"
          columns={['Time', 'Number', 'Median', '90th percentile']}
          rows={measures.map(([name, { count, median, p90 }]) => [
            name,
            numberText(count),
            durationText(median),
            durationText(p90),
          ])}
        />
        <SaveButton table="figures" what="all figures" save={save} />
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
      name="Ratings"
      summary={
        given === 0
          ? `No ratings; ${countText(offered, 'visitor was', 'visitors were')} asked.`
          : `${countText(given, 'rating')} with a mean of ${decimalText(mean)} of 5; ${shareText(good, 1)} are 4 or 5. ${countText(offered, 'visitor was', 'visitors were')} asked.`
      }
    >
      {given > 0 && (
        <>
          <Chart>
            <BarList
              hasShortNames
              label="Bars: how many ratings of each value were given. The table has the numbers."
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
                ['plain', '4 and 5'],
                ['striped', '1 to 3'],
              ]}
            />
          </Chart>
          <ReportTable
            caption="Ratings by value"
            columns={['Rating', 'Number', 'Share']}
            rows={stars.map(({ name, count }) => [name, numberText(count), shareText(count, given)])}
          />
        </>
      )}
    </Section>
  );
}
