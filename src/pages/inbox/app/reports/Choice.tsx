// The choice of what a report counts: the period, and the bot or the team that it is narrowed to.
import { t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import {
  datesOf,
  isPeriodName,
  type Period,
  type PeriodText,
  periodNameOf,
  periodNames,
} from '../state/report-period.ts';

/** The bot and the team that a report is narrowed to. */
export interface Narrowed {
  bot?: string;
  team?: string;
}

export interface ChoiceProps {
  inbox: Inbox;
  period: PeriodText;
  narrowed: Narrowed;
  /** All bots; without their names, none can be chosen. */
  bots: readonly { id: string; name: string }[];
  onNarrow(next: Narrowed): void;
}

export const datesToday = (period: PeriodText): Period => {
  const now = new Date();
  return datesOf(period, [now.getFullYear(), now.getMonth(), now.getDate()]);
};

/** The period, and the bot or the team that the report is narrowed to. */
export function Choice({ inbox, period, narrowed, bots, onNarrow }: ChoiceProps) {
  const { route, go } = inbox.router;
  const teams = inbox.team.teams.value ?? [];
  const show = (next: PeriodText) => go({ ...route.peek(), report: next }, { replace: true });
  const dates = datesToday(period);
  const isNamed = isPeriodName(period);
  return (
    <div class="choice">
      <label>
        {t('Period')}
        <select
          value={isNamed ? period : 'dates'}
          onChange={({ currentTarget: { value } }) =>
            show(isPeriodName(value) ? value : `${dates.from}..${dates.to}`)
          }
        >
          {periodNames.map((name) => (
            <option key={name} value={name}>
              {periodNameOf(name)}
            </option>
          ))}
          <option value="dates">{t('Other dates')}</option>
        </select>
      </label>
      {!isNamed && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            show(`${data.get('from')}..${data.get('to')}`);
          }}
        >
          <label>
            {t('From')}
            <input type="date" name="from" required defaultValue={dates.from} />
          </label>
          <label>
            {t('To')}
            <input type="date" name="to" required defaultValue={dates.to} />
          </label>
          <button type="submit">{t('Show')}</button>
        </form>
      )}
      {bots.length > 1 && (
        <label>
          {t('Bot')}
          <select
            value={narrowed.bot ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { bot: _, ...rest } = narrowed;
              onNarrow(value ? { ...rest, bot: value } : rest);
            }}
          >
            <option value="">{t('All bots')}</option>
            {bots.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {teams.length > 0 && (
        <label>
          {t('Team')}
          <select
            value={narrowed.team ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { team: _, ...rest } = narrowed;
              onNarrow(value ? { ...rest, team: value } : rest);
            }}
          >
            <option value="">{t('All teams')}</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
