// Shows the input and the result of a step, and the values that need approval.
import { toJson } from '../../../client/core/json.ts';
import type { InterruptPart, ReasoningPart, ToolPart } from '../../../protocol/parts.ts';
import type { OmittedValues } from './omitted-values.ts';
import { textOf } from './read-source.ts';
import { strings } from './strings.ts';

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
  const cut = step.truncated && ' …';
  return (
    <div class="details">
      <Value label={strings.reasoning} value={text} cut={cut} isProse />
      <Value label={strings.stepInput} value={input} cut={cut} />
      <Value label={strings.stepOutput} value={output} cut={cut} />
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

interface ValueProps {
  label: string;
  value: unknown;
  /** Is shown at its end. */
  cut: string | undefined | false;
  isProse?: boolean;
}

function Value({ label, value, cut, isProse = false }: ValueProps) {
  if (value === undefined) return null;
  return (
    <>
      {!isProse && <p>{label}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: it is not a part of a form */}
      <pre
        class="value"
        dir="auto"
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        data-prose={isProse}
      >
        {textOf(typeof value === 'string' ? value : JSON.stringify(JSON.parse(toJson(value)), null, 2))}
        {cut}
      </pre>
    </>
  );
}
