// The options of a choice, below its bubble. After the answer they are disabled and the chosen one is marked.
import type { Option } from '../../../protocol/message.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../components/icons.ts';
import { toDrawable } from './drawable.ts';

export interface OptionsProps {
  /** The text of the question, used as the name of the group. */
  label: string;
  options: Option[];
  /** The chosen value; null if the question was not answered and no longer can be. */
  chosen: string | null | undefined;
  onAnswer(label: string, value: string): void;
}

export function Choice({ label, options, chosen, onAnswer }: OptionsProps) {
  return (
    <fieldset class="options" part="options" aria-label={label}>
      {options.map((option) => {
        const isChosen = chosen === option.value;
        return (
          <button
            type="button"
            class="option"
            part="option"
            dir="auto"
            aria-pressed={chosen == null ? undefined : isChosen}
            disabled={chosen !== undefined}
            onClick={() => onAnswer(option.label, option.value)}
          >
            {isChosen && <Icon path={icons.check} />}
            {toDrawable(option.label)}
          </button>
        );
      })}
    </fieldset>
  );
}
