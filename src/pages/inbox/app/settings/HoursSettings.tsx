// When the team answers: the hours of each day by the clock of a time zone, and days with hours of their own.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxMethods } from '../../../../client/operations/inbox.ts';
import { isTimeZone, ownTimeZone, wallTimeOf } from '../../../../protocol/locale/time-zones.ts';
import {
  type Hours,
  type HoursException,
  hoursStatus,
  type OpeningHours,
  type Weekday,
  weekdays,
} from '../../../../protocol/opening-hours.ts';
import type { Permission } from '../../../../protocol/permissions.ts';
import { Loading, Problem } from '../../../ui/Page.tsx';
import { useRequests } from '../../../ui/requests.ts';
import { t, textLocale } from '../../../ui/texts.ts';
import { missingPermission } from '../api/describe-error.ts';
import { momentOf } from '../components/times.ts';
import '../style/settings-forms.css';

/** The name of a day of the week: 4 January 2026 is a Sunday. */
const dayNameOf = (day: Weekday): string =>
  new Date(Date.UTC(2026, 0, 4 + weekdays.indexOf(day))).toLocaleDateString(textLocale(), {
    weekday: 'long',
    timeZone: 'UTC',
  });
/** The week of the form begins with Monday. */
const formDays = [...weekdays.slice(1), 'sun'] as const;
const usual: Hours = ['09:00', '17:00'];

interface Props {
  api: Pick<InboxMethods, 'getOpeningHours' | 'setOpeningHours'>;
  /** The permissions of the member. */
  permissions: readonly Permission[];
  onSaved?(): void;
}

export function HoursSettings({ api, permissions, onSaved }: Props) {
  const requests = useRequests();
  const [hours, setHours] = useState<OpeningHours>();
  const latest = useRef(hours);
  latest.current = hours;
  const load = () => void requests.run(async () => setHours((await api.getOpeningHours()).openingHours));
  useEffect(load, [api]);
  const refusal = missingPermission(permissions, 'inbox.settings');
  if (!hours) return requests.message ? <Problem text={requests.message} onRetry={load} /> : <Loading />;
  const change = (next: Partial<OpeningHours>) => setHours({ ...hours, ...next });
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal) return;
        // Changes before the response stay in the form.
        let wasSame = true;
        void requests.run(
          async () => {
            const { openingHours } = await api.setOpeningHours(hours);
            wasSame = latest.current === hours;
            if (wasSame) setHours(openingHours);
            onSaved?.();
          },
          () =>
            wasSame
              ? t('The opening hours were saved.')
              : t('The opening hours were saved without your changes since then.'),
        );
      }}
    >
      <p class="intro">
        {t(
          'Outside of these hours, a request for a person is not accepted; the visitor reads when somebody is back.',
        )}
      </p>
      {refusal && <p>{refusal}</p>}
      <fieldset class="fields" disabled={refusal !== undefined}>
        <legend class="visually-hidden">{t('Opening hours')}</legend>
        <label class="check">
          <input
            type="checkbox"
            checked={hours.always === true}
            onChange={({ currentTarget: { checked } }) =>
              change({
                always: checked,
                // The zone of the browser, for who sets hours for the first time.
                ...(!checked && Object.keys(hours.week).length === 0 && firstHours()),
              })
            }
          />
          {t('Somebody answers at any time')}
        </label>
        {!hours.always && <Schedule hours={hours} change={change} />}
        <p class="hint" role="status">
          {statusText(hours)}
        </p>
        <p class="buttons">
          <button type="submit" class="main" aria-disabled={requests.isBusy}>
            {t('Save hours')}
          </button>
        </p>
      </fieldset>
      <p class="hint" role="status">
        {requests.message}
      </p>
    </form>
  );
}

interface ScheduleProps {
  hours: OpeningHours;
  change(next: Partial<OpeningHours>): void;
}

function Schedule({ hours, change }: ScheduleProps) {
  const { timeZone, week, exceptions } = hours;
  const setException = (index: number, next: HoursException | undefined) =>
    change({
      exceptions: exceptions.flatMap((each, at) => (at === index ? (next ? [next] : []) : [each])),
    });
  return (
    <>
      <label>
        {t('Time zone')}
        <input
          value={timeZone}
          list="time-zones"
          onInput={({ currentTarget }) => change({ timeZone: currentTarget.value })}
        />
      </label>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {formDays.map((day) => (
        <IntervalsField
          key={day}
          name={dayNameOf(day)}
          intervals={week[day] ?? []}
          onChange={(intervals) => change({ week: { ...week, [day]: intervals } })}
        />
      ))}
      <h3>{t('Holidays and other days')}</h3>
      {exceptions.map((exception, index) => (
        <div class="exception" key={index}>
          <label>
            {t('Name')}
            <input
              value={exception.name ?? ''}
              maxLength={100}
              onInput={({ currentTarget: { value } }) => {
                const { name: _, ...rest } = exception;
                setException(index, value.trim() ? { ...rest, name: value } : rest);
              }}
            />
          </label>
          <label>
            {t('From')}
            <input
              type="date"
              required
              value={exception.from}
              onInput={({ currentTarget: { value } }) =>
                setException(index, {
                  ...exception,
                  from: value,
                  to: exception.to < value ? value : exception.to,
                })
              }
            />
          </label>
          <label>
            {t('To')}
            <input
              type="date"
              required
              min={exception.from}
              value={exception.to}
              onInput={({ currentTarget: { value } }) => setException(index, { ...exception, to: value })}
            />
          </label>
          <IntervalsField
            name={exception.name ?? exception.from}
            intervals={exception.intervals}
            onChange={(intervals) => setException(index, { ...exception, intervals })}
          />
          <button type="button" onClick={() => setException(index, undefined)}>
            {t('Remove these days')}
          </button>
        </div>
      ))}
      <p class="buttons">
        <button
          type="button"
          onClick={() => {
            const today = todayIn(timeZone);
            change({ exceptions: [...exceptions, { from: today, to: today, intervals: [] }] });
          }}
        >
          {t('Add days')}
        </button>
      </p>
    </>
  );
}

interface IntervalsFieldProps {
  /** The day, for the names of the fields. */
  name: string;
  intervals: readonly Hours[];
  onChange(intervals: Hours[]): void;
}

/** The number of intervals that the server accepts. */
const maxIntervals = 6;

/** The hours of one day: intervals whose end can be on the next day. */
export function IntervalsField({ name, intervals, onChange }: IntervalsFieldProps) {
  const set = (index: number, next: Hours | undefined) =>
    onChange(intervals.flatMap((each, at) => (at === index ? (next ? [next] : []) : [each])));
  return (
    <fieldset class="intervals">
      <legend>{name}</legend>
      {intervals.length === 0 && <span class="hint">{t('closed')}</span>}
      {intervals.map(([from, to], index) => (
        <span class="interval" key={index}>
          <input
            type="time"
            required
            aria-label={t('{name}, from', { name })}
            value={from}
            onInput={({ currentTarget }) => set(index, [currentTarget.value, to])}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            required
            aria-label={t('{name}, to', { name })}
            // The field has no 24:00: the end of the day is the beginning of the next one.
            value={to === '24:00' ? '00:00' : to}
            onInput={({ currentTarget }) => set(index, [from, currentTarget.value])}
          />
          {to <= from && <span class="hint">{t('next day')}</span>}
          <button
            type="button"
            class="plain"
            aria-label={t('Remove {name}, {from}', { name, from })}
            onClick={() => set(index, undefined)}
          >
            ×
          </button>
        </span>
      ))}
      {intervals.length < maxIntervals && (
        <button
          type="button"
          aria-label={t('Add hours: {name}', { name })}
          onClick={() => onChange([...intervals, nextHours(intervals)])}
        >
          {t('Add hours')}
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

const firstHours = (): Partial<OpeningHours> => ({
  timeZone: ownTimeZone(),
  week: Object.fromEntries(formDays.slice(0, 5).map((day) => [day, [usual]])),
});

/** The date in a time zone, or in that of the browser while the typed one is not valid. */
function todayIn(timeZone: string): string {
  const { year, month, day } = wallTimeOf(isTimeZone(timeZone) ? timeZone : ownTimeZone(), Date.now());
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** Effect of the hours of the form at present. */
function statusText(hours: OpeningHours): string {
  try {
    const { isOpen, closesAt, opensAt } = hoursStatus(hours, Date.now());
    if (isOpen)
      return closesAt
        ? t('Open now, until {time} in your time zone.', { time: momentOf(new Date(closesAt).toISOString()) })
        : t('Open now.');
    return opensAt
      ? t('Closed now. Opens {time} in your time zone.', { time: momentOf(new Date(opensAt).toISOString()) })
      : t('Closed: there are no hours within a year.');
  } catch {
    return t('There is no time zone with this name.');
  }
}
