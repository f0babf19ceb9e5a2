// Consecutive steps of an answer in a folded group. Its label is the running step, or the number of steps.
import type { ComponentChild } from 'preact';
import { language, plural } from '../i18n/current.ts';
import { Icon } from '../icon.tsx';
import { Fold, type FoldState } from './Fold.tsx';
import { icons } from './icons.ts';
import { type Step, textOf } from './read-parts.ts';
import { strings } from './strings.ts';

interface Folding {
  /** The state of the group, by the first of these ids; all of them open and close together. */
  fold(...ids: [string, ...string[]]): FoldState;
  /** Draws the values of a step. */
  drawDetails(step: Step): ComponentChild;
}

/** How a state is shown: the key of its text, and its mark. */
const running = ['stepRunning', ''] as const;
const done = ['stepDone', icons.done] as const;
const waiting = ['stepWaiting', icons.waiting] as const;
const failed = ['stepFailed', icons.failed] as const;
const ended = ['stepCancelled', icons.ended] as const;
type Look = readonly [
  'stepRunning' | 'stepWaiting' | 'stepDone' | 'stepFailed' | 'stepRefused' | 'stepCancelled',
  icon: string,
];
const looks = new Map<unknown, Look>([
  // Nothing runs before the visitor has answered.
  ['approval-requested', waiting],
  // Whether it runs afterwards is not known here: the bot reports it at the end.
  ['approval-responded', waiting],
  ['output-available', done],
  ['done', done],
  ['output-error', failed],
  ['output-denied', ['stepRefused', icons.ended]],
  ['cancelled', ended],
]);
/** A state from the wire may be any value. */
const lookOf = ({ state }: Step): Look => looks.get(state) ?? running;

/** The name of a step in the list of its group. */
const listed = (id: string) => `${id} listed`;

interface Props extends Folding {
  steps: readonly Step[];
  /** Changes with each drawing that has to be drawn again although the other properties are the same. */
  drawing: object;
}

/** It reads strings, which are signals: with the same properties it is not drawn again (`@preact/signals`). */
export function Steps({ steps, fold, drawDetails }: Props) {
  const [first] = steps as [Step];
  // Further steps may follow it: what is open stays open, and the same button keeps the focus.
  if (steps.length === 1 && lookOf(first) !== failed) {
    return OneStep({ step: first, fold: (id) => fold(id, listed(id)), drawDetails, part: 'steps' });
  }
  const now = steps.findLast((step) => lookOf(step) === running);
  // The answer is good although a step has failed: only the list says so.
  const look = now
    ? running
    : ([waiting, done].find((one) => steps.some((step) => lookOf(step) === one)) ?? ended);
  return (
    <Fold
      {...fold(first.id)}
      part="steps"
      label={now ? titleOf(now) : plural('steps', steps.length)}
      mark={<Mark look={look} />}
      note={<span class="visually-hidden">{now && strings.stepRunning}</span>}
    >
      {() => (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers
        <ol class="step-list" role="list">
          {steps.map((step) => (
            <li key={step.id}>
              <OneStep step={step} fold={(id) => fold(listed(id))} drawDetails={drawDetails} part="step" />
            </li>
          ))}
        </ol>
      )}
    </Fold>
  );
}

/** A step with its input and its result, which are folded. */
function OneStep({ step, fold, drawDetails, part }: Folding & { step: Step; part: string }) {
  const state = fold(step.id);
  const look = lookOf(step);
  const duration = step.type === 'reasoning' && durationOf(step.startedAt, step.endedAt);
  // Otherwise the mark is enough: a word would change the line when the step ends.
  const isTold = part === 'step' || state.isOpen || duration || (look !== running && look !== done);
  const props = {
    part,
    label: titleOf(step),
    mark: <Mark look={look} />,
    note: <span class={isTold ? 'step-state' : 'visually-hidden'}>{duration || strings[look[0]]}</span>,
  };
  const { text, input, output, errorText } = { ...step } as Partial<Record<string, unknown>>;
  const hasDetails = step.omitted || text || errorText || (input ?? output) !== undefined;
  return (
    <Fold {...state} {...props}>
      {hasDetails ? () => drawDetails(step) : undefined}
    </Fold>
  );
}

function Mark({ look: [name, path] }: { look: Look }) {
  return (
    <i class="mark" data-state={name}>
      {path && <Icon path={path} />}
    </i>
  );
}

const titleOf = (step: Step): string =>
  step.type === 'reasoning' ? strings.reasoning : textOf(step.title) || textOf(step.toolName) || '–';

/** How long something took; '' if that is not known. */
function durationOf(startedAt: string, endedAt: string | undefined): string {
  const seconds = Math.round((Date.parse(endedAt ?? '') - Date.parse(startedAt)) / 1_000);
  if (!(seconds >= 0)) return '';
  const [value, unit] = seconds < 60 ? [seconds || 1, 'second'] : [Math.round(seconds / 60), 'minute'];
  return value.toLocaleString(language.locale, { style: 'unit', unit, unitDisplay: 'short' });
}
