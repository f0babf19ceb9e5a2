// The options of a dropdown, below its bubble. After the answer they are disabled and the chosen one is shown.
import { useState } from 'preact/hooks';
import type { OptionsProps } from '../../chat/payloads/Choice.tsx';
import { toDrawable } from '../../chat/payloads/drawable.ts';
import { strings } from '../strings.ts';

export function Dropdown({ label, options, chosen, onAnswer }: OptionsProps) {
  const [picked, setPicked] = useState(-1);
  const index = chosen === undefined ? picked : options.findIndex((option) => option.value === chosen);
  const option = options[picked];
  return (
    <form
      class="options"
      part="options"
      onSubmit={(event) => {
        event.preventDefault();
        if (!option) return;
        onAnswer(option.label, option.value);
      }}
    >
      <select
        class="select"
        part="select"
        dir="auto"
        aria-label={label}
        disabled={chosen !== undefined}
        onChange={({ currentTarget }) => {
          setPicked(Number(currentTarget.value));
        }}
      >
        <option value={-1} disabled selected={index < 0}>
          {strings.choose}
        </option>
        {options.map((option, i) => (
          <option value={i} selected={i === index}>
            {toDrawable(option.label)}
          </option>
        ))}
      </select>
      {chosen === undefined && (
        // A submit button, because with arrow keys a select fires `change` at every step.
        <button type="submit" class="option primary" part="option" disabled={!option}>
          {strings.sendAnswer}
        </button>
      )}
    </form>
  );
}
