// The steps of an answer without text between them: folded, named by the one that is running or by their number.
import { toJson } from '../../client/core/json.ts';
import { isRunningPart, type Part } from '../../protocol/parts.ts';
import { interpolate, language } from '../i18n/current.ts';
import { Icon } from '../icon.tsx';
import { Fold, type FoldState } from './Fold.tsx';
import { icons } from './icons.ts';
import { type Step, textOf } from './read-parts.ts';
import { strings } from './strings.ts';

interface Folding {
  /** The state of what the first of these ids names; all of them open and close together. */
  fold(...ids: [string, ...string[]]): FoldState;
  /** Reads the whole part, if values are left out. */
  load(id: string): { part?: Part | undefined; retry?: (() => void) | undefined };
}

/** The name of a step in the list of its group. */
const listed = (id: string) => `${id} listed`;

export function Steps({ steps, fold, load }: Folding & { steps: readonly Step[] }) {
  const [first] = steps as [Step];
  const running = steps.findLast(isRunningPart) as Step | undefined;
  // Further steps may follow it: what is open stays open, and the same button keeps the focus.
  if (steps.length === 1) {
    return OneStep({ step: first, fold: (id) => fold(id, listed(id)), load, part: 'steps' });
  }
  const failed = steps.find(({ state }) => stateOf(state) === 'failed');
  const count = interpolate(strings.steps, { count: steps.length });
  const shown = running ?? failed;
  return (
    <Fold
      {...fold(first.id)}
      part="steps"
      label={running ? titleOf(running) : count}
      mark={<Mark step={shown ?? (steps.at(-1) as Step)} />}
      note={shown && <span class="visually-hidden">{wordOf(shown)}</span>}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers */}
      <ol class="step-list" role="list">
        {steps.map((step) => (
          <li key={step.id}>
            <OneStep step={step} fold={(id) => fold(listed(id))} load={load} part="step" isListed />
          </li>
        ))}
      </ol>
    </Fold>
  );
}

/** A step with what it was given and what came of it, which is folded. */
function OneStep({
  step,
  fold,
  load,
  part,
  isListed = false,
}: Folding & { step: Step; part: string; isListed?: boolean }) {
  const state = fold(step.id);
  const name = stateOf(step.state);
  const isToldByMark = !isListed && !state.isOpen && (name === 'running' || name === 'done');
  const duration = step.type === 'reasoning' && durationOf(step.startedAt, step.endedAt);
  const note = (
    <span class={isToldByMark && !duration ? 'visually-hidden' : 'step-state'}>
      {duration || (step.type === 'reasoning' && name === 'done' ? '' : wordOf(step))}
    </span>
  );
  if (!hasDetails(step)) {
    return (
      <p class="fold-head" part={part}>
        <Mark step={step} />
        <bdi>{titleOf(step)}</bdi>
        {note}
      </p>
    );
  }
  return (
    <Fold {...state} part={part} label={titleOf(step)} mark={<Mark step={step} />} note={note}>
      <Details step={step} load={load} />
    </Fold>
  );
}

function Details({ step, load }: Pick<Folding, 'load'> & { step: Step }) {
  const { part, retry } = step.omitted ? load(step.id) : {};
  const whole = { ...(part as Step | undefined), ...step };
  const { text, input, output, errorText } = whole as Partial<Record<string, unknown>>;
  const values = [
    [strings.reasoning, text],
    [strings.stepInput, input],
    [strings.stepOutput, output],
  ] as const;
  return (
    <div class="details">
      {values.map(
        ([label, value]) => value !== undefined && <Value label={label} value={value} cut={step.truncated} />,
      )}
      {textOf(errorText) && (
        <p class="step-error" dir="auto">
          {textOf(errorText)}
        </p>
      )}
      {step.omitted && !part && (retry ? <Retry onClick={retry} /> : <p>…</p>)}
    </div>
  );
}

const Retry = ({ onClick }: { onClick(): void }) => (
  <button type="button" class="again" onClick={onClick}>
    {strings.retry}
  </button>
);

function Value({ label, value, cut }: { label: string; value: unknown; cut?: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(JSON.parse(toJson(value)), null, 2);
  return (
    <>
      {label !== strings.reasoning && <p class="value-label">{label}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: it is not a part of a form */}
      <pre
        class="value"
        dir="auto"
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        data-prose={label === strings.reasoning}
      >
        {textOf(text)}
        {cut ? ' …' : ''}
      </pre>
    </>
  );
}

function Mark({ step }: { step: Step }) {
  const name = stateOf(step.state);
  return (
    <i class="mark" data-state={name}>
      {name !== 'running' && (
        <Icon path={name === 'done' ? icons.done : name === 'failed' ? icons.failed : icons.ended} />
      )}
    </i>
  );
}

const states = {
  'output-available': 'done',
  done: 'done',
  'output-error': 'failed',
  'output-denied': 'refused',
  cancelled: 'cancelled',
} as const;
type StateName = (typeof states)[keyof typeof states] | 'running';

/** A state from the wire may be any value. */
const stateOf = (state: unknown): StateName =>
  typeof state === 'string' && Object.hasOwn(states, state)
    ? states[state as keyof typeof states]
    : 'running';

const wordOf = ({ state }: Step): string =>
  ({
    running: strings.stepRunning,
    done: strings.stepDone,
    failed: strings.stepFailed,
    refused: strings.stepRefused,
    cancelled: strings.stepCancelled,
  })[stateOf(state)];

const titleOf = (step: Step): string =>
  step.type === 'reasoning' ? strings.reasoning : textOf(step.title) || textOf(step.toolName) || '–';

const hasDetails = (step: Step): boolean =>
  Boolean(step.omitted) ||
  (step.type === 'reasoning'
    ? textOf(step.text) !== ''
    : step.input !== undefined || step.output !== undefined || textOf(step.errorText) !== '');

/** How long something took; '' if that is not known. */
function durationOf(startedAt: unknown, endedAt: unknown): string {
  const seconds = Math.round((Date.parse(String(endedAt)) - Date.parse(String(startedAt))) / 1_000);
  if (!(seconds >= 0)) return '';
  const [value, unit] =
    seconds < 60 ? [Math.max(1, seconds), 'second'] : [Math.round(seconds / 60), 'minute'];
  return value.toLocaleString(language.locale, { style: 'unit', unit, unitDisplay: 'short' });
}
