// Shows the input and the result of a step, and the values that need approval.
import type { InterruptPart, ReasoningPart, ToolPart } from '../../../protocol/parts.ts';
import type { OmittedValues } from './omitted-values.ts';
import { textOf } from './read-source.ts';
import { strings } from './strings.ts';
import { Values } from './Values.tsx';

/** A step or question with values to show. */
export type Step =
  | ToolPart
  | ReasoningPart
  | (Omit<InterruptPart, 'omitted'> & { omitted?: true | undefined });

interface Props {
  step: Step;
  /** Reads the whole part, if values are left out. */
  load(id: string): ReturnType<OmittedValues['read']>;
}

export function Details({ step, load }: Props) {
  const { part, retry } = step.omitted ? load(step.id) : {};
  const { text, input, output, errorText } = { ...part, ...step } as Partial<Record<string, unknown>>;
  const group = (label: string, value: unknown, hasTitle: boolean) =>
    value !== undefined && (
      // biome-ignore lint/a11y/useSemanticElements: it is not a part of a form
      <div role="group" aria-label={label}>
        {hasTitle && <p class="label">{label}</p>}
        <Values value={value} />
        {step.truncated && '…'}
      </div>
    );
  return (
    <div class="details">
      {group(strings.reasoning, text, false)}
      {/* The title of a question says what its values are. */}
      {group(strings.stepInput, input, step.type === 'tool')}
      {group(strings.stepOutput, output, true)}
      <p class="step-error" dir="auto">
        {textOf(errorText)}
      </p>
      {step.omitted &&
        !part &&
        (retry ? (
          <button type="button" class="again" onClick={retry}>
            {strings.retry}
          </button>
        ) : (
          '…'
        ))}
    </div>
  );
}
