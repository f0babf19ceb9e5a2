// The reports of the inbox, in front of the conversations: what is counted, and the figures of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { pause } from '../../../../client/core/retry.ts';
import type { Report } from '../../../../protocol/inbox.ts';
import { ownTimeZone } from '../../../../protocol/locale/time-zones.ts';
import { Problem } from '../../../ui/Page.tsx';
import { t } from '../../../ui/texts.ts';
import { describeError, missingPermission, typeOf } from '../api/describe-error.ts';
import { FrontPage } from '../components/FrontPage.tsx';
import { focusReportsName } from '../components/focus.ts';
import type { Inbox } from '../inbox.ts';
import type { PeriodText } from '../state/report-period.ts';
import { Choice, type ChoiceProps, datesToday, type Narrowed } from './Choice.tsx';
import { Patterns } from './charts.tsx';
import { dateText } from './figure-texts.ts';
import { Ratings, Times } from './QualitySections.tsx';
import { KeyFigures, Volume } from './VolumeSection.tsx';
import { Load, Questions } from './WorkSections.tsx';
import '../style/reports.css';
import '../style/report-tables.css';

const timeZone = ownTimeZone();
/** Milliseconds after a choice in which another one may follow, such as by the arrow keys in a list. */
const idleMs = 200;

export function Reports({ inbox, period }: { inbox: Inbox; period: PeriodText }) {
  const [narrowed, setNarrowed] = useState<Narrowed>({});
  const [dropped, setDropped] = useState('');
  const [bots, setBots] = useState<ChoiceProps['bots']>([]);
  const { api, team } = inbox;
  const refusal = missingPermission(inbox.me.permissions, 'reports.read');
  useEffect(() => void focusReportsName(), []);
  useEffect(() => {
    api.listBots().then(setBots, () => {});
  }, [api]);
  /** Last choice of the member. */
  const chosen = useRef(narrowed);
  const narrow = (next: Narrowed) => {
    chosen.current = next;
    setDropped('');
    setNarrowed(next);
  };
  /** The server does not know what the report was narrowed to: it was deleted after the lists were read. */
  const drop = async (asked: Narrowed) => {
    const [allBots] = await Promise.all([api.listBots().catch(() => bots), team.load().catch(() => {})]);
    setBots(allBots);
    const { bot, team: teamId } = chosen.current;
    // The member has chosen another one meanwhile.
    if (bot !== asked.bot || teamId !== asked.team) return;
    const listed = listedOf(asked, allBots, team.teams.peek() ?? []);
    narrow(listed);
    setDropped(droppedText(asked, listed));
  };
  return (
    <FrontPage inbox={inbox} kind="reports" title={t('Reports')}>
      {refusal ? (
        <div class="section">
          <Problem text={refusal} />
        </div>
      ) : (
        <>
          <Choice inbox={inbox} period={period} narrowed={narrowed} bots={bots} onNarrow={narrow} />
          <Figures inbox={inbox} period={period} narrowed={narrowed} dropped={dropped} onMissing={drop} />
        </>
      )}
    </FrontPage>
  );
}

/** The part of a choice that is still listed; nothing if all of it is. */
function listedOf(
  { bot, team }: Narrowed,
  bots: readonly { id: string }[],
  teams: readonly { id: string }[],
): Narrowed {
  const isBot = bots.some(({ id }) => id === bot);
  const isTeam = teams.some(({ id }) => id === team);
  if (isBot === (bot !== undefined) && isTeam === (team !== undefined)) return {};
  return { ...(isBot && bot && { bot }), ...(isTeam && team && { team }) };
}

function droppedText(asked: Narrowed, listed: Narrowed): string {
  const isBot = asked.bot !== undefined && listed.bot === undefined;
  const isTeam = asked.team !== undefined && listed.team === undefined;
  if (isBot && isTeam)
    return t('The bot or team that you chose does not exist any more, or you may not see its conversations.');
  return isBot
    ? t('The bot that you chose does not exist any more, or you may not see its conversations.')
    : t('The team that you chose does not exist any more, or you may not see its conversations.');
}

interface FiguresProps {
  inbox: Inbox;
  period: PeriodText;
  narrowed: Narrowed;
  /** Why the report is not narrowed any more; '' otherwise. */
  dropped: string;
  /** The server does not know what the report is narrowed to. */
  onMissing(asked: Narrowed): void;
}

/** The figures of the period. The ones before stay until the new ones are there. */
function Figures({ inbox, period, narrowed, dropped, onMissing }: FiguresProps) {
  const { from, to } = datesToday(period);
  const { bot, team } = narrowed;
  // A member who may only read reports of their own work now must not see those of others until the next response.
  const isOfAll = inbox.me.permissions.includes('reports.all');
  const [answered, setAnswered] = useState<{ report: Report; isOfAll: boolean }>();
  const report = answered?.isOfAll === isOfAll ? answered.report : undefined;
  const [status, setStatus] = useState(t('Loading…'));
  const [attempt, setAttempt] = useState(0);
  const isFirst = useRef(true);
  const isMissing = (error: unknown) =>
    typeOf(error) === 'ResourceNotFound' && (bot !== undefined || team !== undefined);
  const asked = { from, to, timeZone, ...(bot && { bot }), ...(team && { team }) };
  useEffect(() => {
    // A report is much work for the server: of several choices it is asked for the last one.
    const controller = new AbortController();
    const { signal } = controller;
    setStatus(t('Loading…'));
    const idle = isFirst.current ? Promise.resolve() : pause(idleMs, signal);
    isFirst.current = false;
    idle
      .then(() => inbox.api.inbox.getReport(asked, { signal }))
      .then(
        (answer) => {
          if (signal.aborted) return;
          setAnswered({ report: answer.report, isOfAll });
          setStatus(
            t('{from} to {to}, by the clock of {timeZone}.', {
              from: dateText(from),
              to: dateText(to),
              timeZone,
            }),
          );
        },
        (error) => {
          if (signal.aborted) return;
          if (isMissing(error)) return onMissing(narrowed);
          setAnswered(undefined);
          setStatus(describeError(error, true));
        },
      );
    return () => controller.abort();
  }, [inbox, from, to, bot, team, isOfAll, attempt]);
  const isLoading = status === t('Loading…');
  const save = (table: Parameters<typeof inbox.api.inbox.exportReport>[0]['table']) =>
    inbox.api.inbox.exportReport({ ...asked, table }).catch((error) => {
      if (isMissing(error)) onMissing(narrowed);
      throw error;
    });
  return (
    <div class="report" aria-busy={isLoading}>
      <p class="hint" role="status">
        {dropped && `${dropped} `}
        {(report || isLoading) && status}
        {report?.isOwn && !isLoading && ` ${t('Only your own work is counted.')}`}
      </p>
      {!report && !isLoading && (
        <div class="section">
          <Problem
            text={status}
            onRetry={() => {
              focusReportsName();
              setAttempt(attempt + 1);
            }}
          />
        </div>
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
