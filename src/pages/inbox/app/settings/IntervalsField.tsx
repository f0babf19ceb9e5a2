// The hours of one day: intervals from a time to another one, which can be on the next day.
import type { Hours } from '../../../../protocol/handling/opening-hours.ts';

interface Props {
  /** The day, for the names of the fields. */
  name: string;
  intervals: readonly Hours[];
  onChange(intervals: Hours[]): void;
}

/** As the server accepts them. */
const most = 6;

export function IntervalsField({ name, intervals, onChange }: Props) {
  const set = (index: number, next: Hours | undefined) =>
    onChange(intervals.flatMap((each, at) => (at === index ? (next ? [next] : []) : [each])));
  return (
    <fieldset class="intervals">
      <legend>{name}</legend>
      {intervals.length === 0 && <span class="hint">closed</span>}
      {intervals.map(([from, to], index) => (
        <span class="interval" key={index}>
          <input
            type="time"
            required
            aria-label={`${name}, from`}
            value={from}
            onInput={({ currentTarget }) => set(index, [currentTarget.value, to])}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            required
            aria-label={`${name}, to`}
            // The field has no 24:00: the end of the day is the beginning of the next one.
            value={to === '24:00' ? '00:00' : to}
            onInput={({ currentTarget }) => set(index, [from, currentTarget.value])}
          />
          {to <= from && <span class="hint">next day</span>}
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${name}, ${from}`}
            onClick={() => set(index, undefined)}
          >
            ×
          </button>
        </span>
      ))}
      {intervals.length < most && (
        <button
          type="button"
          aria-label={`Add hours: ${name}`}
          onClick={() => onChange([...intervals, nextHours(intervals)])}
        >
          Add hours
        </button>
      )}
    </fieldset>
  );
}

/** After the last ones of the day, if there is time. */
function nextHours(intervals: readonly Hours[]): Hours {
  const [, end = '09:00'] = intervals.at(-1) ?? [];
  if (intervals.length === 0) return ['09:00', '17:00'];
  const hour = Number(end.slice(0, 2));
  return hour < 22 ? [`${String(hour + 1).padStart(2, '0')}:00`, '23:00'] : ['22:00', '23:00'];
}
