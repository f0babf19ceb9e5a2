// The options of a choice, below its bubble. After the answer only the chosen one is left, with a mark.
import type { Option } from '../../../protocol/message.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../components/icons.ts';
import { toDrawable } from './drawable.ts';

export interface OptionsProps {
  /** The text of the question, used as the name of the group. */
  label: string;
  options: Option[];
  /** The chosen value. */
  chosen: string | undefined;
  onAnswer(label: string, value: string): void;
}

export function Choice({ label, options, chosen, onAnswer }: OptionsProps) {
  const isAnswered = chosen !== undefined;
  const chosenIndex = options.findIndex(({ value }) => value === chosen);
  // An answer that is none of its options, of another client.
  if (isAnswered && chosenIndex < 0) return null;
  return (
    <fieldset class="options" part="options" aria-label={label}>
      {options.map(
        (option, i) =>
          (!isAnswered || i === chosenIndex) && (
            <button
              type="button"
              class="option"
              part="option"
              dir="auto"
              aria-pressed={isAnswered ? true : undefined}
              disabled={isAnswered}
              onClick={() => onAnswer(option.label, option.value)}
            >
              {isAnswered && <Icon path={icons.check} />}
              {toDrawable(option.label)}
            </button>
          ),
      )}
    </fieldset>
  );
}
