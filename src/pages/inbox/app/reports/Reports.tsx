// The reports of the inbox, in front of the conversations: the choice of a period, and the figures of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Report } from '../../../../protocol/handling/report.ts';
import { ownTimeZone } from '../../../../protocol/locale/time-zones.ts';
import { describeError, missingPermission } from '../api/describe-error.ts';
import { focusReportsName } from '../components/focus.ts';
import { Icon } from '../components/Icon.tsx';
import { Link } from '../components/Link.tsx';
import type { Inbox } from '../inbox.ts';
import { datesOf, isPeriodName, namedPeriods, type PeriodText } from '../state/report-period.ts';
import { Patterns } from './charts.tsx';
import { dateText } from './figure-texts.ts';
import { Ratings, Times } from './QualitySections.tsx';
import { KeyFigures, Volume } from './VolumeSection.tsx';
import { Load, Questions } from './WorkSections.tsx';

const timeZone = ownTimeZone();

const datesToday = (period: PeriodText) => {
  const now = new Date();
  return datesOf(period, [now.getFullYear(), now.getMonth(), now.getDate()]);
};

export function Reports({ inbox, period }: { inbox: Inbox; period: PeriodText }) {
  const { route } = inbox.router;
  const heading = useRef<HTMLHeadingElement>(null);
  const [narrowed, setNarrowed] = useState<{ bot?: string; team?: string }>({});
  const refusal = missingPermission(inbox.me.permissions, 'reports.read');
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="pane reports" aria-labelledby="reports-name">
      <div class="bar">
        <Link inbox={inbox} class="plain back" isBack to={{ ...route.value, report: undefined }}>
          <Icon name="back" />
          <span class="visually-hidden">Back to the conversations</span>
        </Link>
        <h2 id="reports-name" tabIndex={-1} ref={heading}>
          Reports
        </h2>
      </div>
      <div class="scroll">
        {refusal ? (
          <p>{refusal}</p>
        ) : (
          <>
            <Choice inbox={inbox} period={period} narrowed={narrowed} onNarrow={setNarrowed} />
            <Figures inbox={inbox} period={period} narrowed={narrowed} />
          </>
        )}
      </div>
    </section>
  );
}

interface ChoiceProps {
  inbox: Inbox;
  period: PeriodText;
  narrowed: { bot?: string; team?: string };
  onNarrow(next: { bot?: string; team?: string }): void;
}

/** The period, and the bot or the team that the report is narrowed to. */
function Choice({ inbox, period, narrowed, onNarrow }: ChoiceProps) {
  const { route, go } = inbox.router;
  const [bots, setBots] = useState<readonly { id: string; name: string }[]>([]);
  useEffect(() => {
    // Without their names, no bot can be chosen.
    inbox.api.listBots().then(setBots, () => {});
  }, [inbox]);
  const teams = inbox.team.teams.value ?? [];
  const show = (next: PeriodText) => go({ ...route.peek(), report: next }, { replace: true });
  const dates = datesToday(period);
  const isNamed = isPeriodName(period);
  return (
    <div class="choice">
      <label>
        Period
        <select
          value={isNamed ? period : 'dates'}
          onChange={({ currentTarget: { value } }) =>
            show(isPeriodName(value) ? value : `${dates.from}..${dates.to}`)
          }
        >
          {Object.entries(namedPeriods).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
          <option value="dates">Other dates</option>
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
            From
            <input type="date" name="from" required defaultValue={dates.from} />
          </label>
          <label>
            To
            <input type="date" name="to" required defaultValue={dates.to} />
          </label>
          <button type="submit">Show</button>
        </form>
      )}
      {bots.length > 1 && (
        <label>
          Bot
          <select
            value={narrowed.bot ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { bot: _, ...rest } = narrowed;
              onNarrow(value ? { ...rest, bot: value } : rest);
            }}
          >
            <option value="">All bots</option>
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
          Team
          <select
            value={narrowed.team ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { team: _, ...rest } = narrowed;
              onNarrow(value ? { ...rest, team: value } : rest);
            }}
          >
            <option value="">All teams</option>
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

/** The figures of the period. The ones before stay until the new ones are there. */
function Figures({ inbox, period, narrowed }: Omit<ChoiceProps, 'onNarrow'>) {
  const { from, to } = datesToday(period);
  const { bot, team } = narrowed;
  const [report, setReport] = useState<Report>();
  const [status, setStatus] = useState('Loading…');
  const [attempt, setAttempt] = useState(0);
  const asked = { from, to, timeZone, ...(bot && { bot }), ...(team && { team }) };
  useEffect(() => {
    // An answer that comes after another choice is not shown.
    let isCurrent = true;
    setStatus('Loading…');
    inbox.api.inbox.getReport(asked).then(
      (answer) => {
        if (!isCurrent) return;
        setReport(answer.report);
        setStatus(`${dateText(from)} to ${dateText(to)}, by the clock of ${timeZone}.`);
      },
      (error) => {
        if (!isCurrent) return;
        setReport(undefined);
        setStatus(describeError(error));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [inbox, from, to, bot, team, attempt]);
  const isLoading = status === 'Loading…';
  const save = (table: Parameters<typeof inbox.api.inbox.exportReport>[0]['table']) =>
    inbox.api.inbox.exportReport({ ...asked, table });
  return (
    <div class="report" aria-busy={isLoading}>
      <p class="hint" role="status">
        {status}
        {report?.isOwn && !isLoading && ' Only your own work is counted.'}
      </p>
      {!report && !isLoading && (
        <button
          type="button"
          onClick={() => {
            focusReportsName();
            setAttempt(attempt + 1);
          }}
        >
          Try again
        </button>
      )}
      {report && (
        <>
          <Patterns />
          <KeyFigures report={report} />
          <Volume report={report} save={save} />
          <Times report={report} save={save} />
          <Ratings report={report} />
          <Load report={report} save={save} />
          <Questions report={report} save={save} inbox={inbox} />
        </>
      )}
    </div>
  );
}
