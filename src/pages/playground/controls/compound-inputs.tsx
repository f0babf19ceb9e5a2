// Controls of several elements: a number with a slider, three choices, a color with a picker, a link.
import { useRef } from 'preact/hooks';
import type { FieldName } from '../../../protocol/page-api/config.ts';
import type { Kind, Link } from '../../../protocol/page-api/field-kinds.ts';
import { defaultOf, examples } from './fields.ts';

/** The largest range with a slider: one step is at least a pixel. */
const sliderMax = 400;

export function Number_({ id, name, kind: { min = 0, max = 0 }, value, aria, onValue }: InputProps) {
  const number = useRef<HTMLInputElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const step = max <= 10 ? 0.1 : 1;
  return (
    <div class="pair">
      {max <= sliderMax && (
        <input
          ref={slider}
          type="range"
          aria-label={`${name}, slider`}
          min={min}
          max={max}
          step={step}
          defaultValue={String(value ?? defaultOf(name))}
          onInput={(event) => {
            if (number.current) number.current.value = event.currentTarget.value;
            onValue(event.currentTarget.valueAsNumber);
          }}
        />
      )}
      <input
        id={id}
        ref={number}
        {...aria}
        type="number"
        step="any"
        defaultValue={value as number | undefined}
        placeholder={placeholderOf(name) || `${min} to ${max}`}
        onInput={(event) => {
          const { value, valueAsNumber, validity } = event.currentTarget;
          if (slider.current) slider.current.value = value || defaultOf(name);
          // An invalid number has an empty value as well, but is not blank.
          onValue(value ? valueAsNumber : validity.badInput ? Number.NaN : undefined);
        }}
      />
    </div>
  );
}

/** True, false or unset: a checkbox has no third state. */
export function Flag({ id, name, value, aria, labelledBy, onValue }: InputProps) {
  const choices = [
    [fromDefault(name), undefined],
    ['true', true],
    ['false', false],
  ] as const;
  return (
    <fieldset class="segments" aria-labelledby={labelledBy} aria-describedby={aria['aria-describedby']}>
      {choices.map(([label, choice]) => (
        <label key={label}>
          <input type="radio" name={id} defaultChecked={value === choice} onChange={() => onValue(choice)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Color({ id, name, value, aria, onValue }: InputProps) {
  const text = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const initial = (value as string | undefined) ?? '';
  return (
    <div class="pair">
      <input
        ref={picker}
        type="color"
        aria-label={`${name}, picker`}
        defaultValue={sixDigits(initial || defaultOf(name))}
        onInput={(event) => {
          if (text.current) text.current.value = event.currentTarget.value;
          onValue(event.currentTarget.value);
        }}
      />
      <input
        id={id}
        ref={text}
        {...aria}
        type="text"
        defaultValue={initial}
        placeholder={placeholderOf(name)}
        spellcheck={false}
        onInput={(event) => {
          const { value } = event.currentTarget;
          const shown = sixDigits(value || defaultOf(name));
          if (picker.current && shown) picker.current.value = shown;
          onValue(value);
        }}
      />
    </div>
  );
}

/** A color in the format of a color input; empty for an invalid color. */
const sixDigits = (color: string): string =>
  /^#([\da-f]{3}){1,2}$/i.test(color)
    ? (color.length === 4 ? color.replace(/[\da-f]/gi, '$&$&') : color).toLowerCase()
    : '';

export function LinkParts({ id, value, aria, labelledBy, onValue }: InputProps) {
  const initial = (value ?? {}) as Link;
  const parts = useRef({ title: initial.title ?? '', link: initial.link ?? '' });
  return (
    <fieldset class="pair" aria-labelledby={labelledBy}>
      {(['title', 'link'] as const).map((part) => (
        <input
          key={part}
          id={`${id}-${part}`}
          {...aria}
          type="text"
          aria-label={part}
          placeholder={part}
          defaultValue={parts.current[part]}
          onInput={(event) => {
            parts.current[part] = event.currentTarget.value;
            const entries = Object.entries(parts.current).filter(([, text]) => text);
            onValue(entries.length > 0 ? Object.fromEntries(entries) : undefined);
          }}
        />
      ))}
    </fieldset>
  );
}

export interface InputProps {
  id: string;
  name: FieldName;
  kind: Kind;
  /** The initial value. */
  value: unknown;
  /** ARIA attributes of every input element of the field. */
  aria: { 'aria-describedby': string; 'aria-invalid': boolean };
  /** The id of the field's name, for groups. */
  labelledBy: string;
  onValue(value: unknown): void;
}

/** The placeholder of an empty control: the default or an example. */
export const placeholderOf = (name: FieldName): string => defaultOf(name) || (examples[name] ?? '');
/** The label of the choice to leave the field unset. */
export const fromDefault = (name: FieldName): string =>
  defaultOf(name) ? `Default (${defaultOf(name)})` : 'Default';
