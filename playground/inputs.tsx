// The controls, one for each kind of field. They begin with a value and tell each change; they check nothing.
import type { ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FieldName } from '../src/protocol/config.ts';
import { type Kind, type Link, url } from '../src/protocol/kind.ts';
import { type Control, defaultOf, examples, longTexts, secrets, suggestions } from './fields.ts';

interface Props {
  id: string;
  name: FieldName;
  kind: Kind;
  /** The value to begin with. */
  value: unknown;
  /** What every input element of the field carries. */
  aria: { 'aria-describedby': string; 'aria-invalid': boolean };
  /** The id of the field's name, for groups. */
  labelledBy: string;
  onValue(value: unknown): void;
}

/** A control, and whether it is more than one element under one name. */
interface Input {
  Control(props: Props): ComponentChild;
  isGroup?: boolean;
}

const placeholderOf = (name: FieldName) => defaultOf(name) || (examples[name] ?? '');
const fromDefault = (name: FieldName) => (defaultOf(name) ? `Default (${defaultOf(name)})` : 'Default');

function Text({ id, name, kind, value, aria, onValue }: Props) {
  const listed = suggestions[name];
  const tell = (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value);
  const attributes = {
    id,
    ...aria,
    defaultValue: value as string | undefined,
    placeholder: placeholderOf(name),
    spellcheck: false,
    autocomplete: 'off',
  };
  if (longTexts.includes(name)) {
    return <textarea {...attributes} rows={3} onInput={tell} />;
  }
  if (secrets.includes(name)) {
    return <input {...attributes} type="password" onInput={(event) => onValue(event.currentTarget.value)} />;
  }
  return (
    <>
      <input
        {...attributes}
        type="text"
        list={`${id}-list`}
        // What makes the browser fetch something counts when it is whole, and not letter by letter.
        {...(listed || kind === url ? { onChange: tell } : { onInput: tell })}
      />
      {listed && (
        <datalist id={`${id}-list`}>
          {listed.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** A text whose empty form is a value of its own. */
function Removable({ id, name, value, aria, onValue }: Props) {
  const text = useRef<HTMLInputElement>(null);
  const [isRemoved, setRemoved] = useState(value === '');
  return (
    <>
      <input
        id={id}
        ref={text}
        {...aria}
        type="text"
        defaultValue={value as string | undefined}
        placeholder={isRemoved ? '' : placeholderOf(name)}
        disabled={isRemoved}
        onInput={(event) => onValue(event.currentTarget.value || undefined)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isRemoved}
          onChange={(event) => {
            setRemoved(event.currentTarget.checked);
            onValue(event.currentTarget.checked ? '' : text.current?.value || undefined);
          }}
        />
        Leave it out
      </label>
    </>
  );
}

function Choice({ id, name, kind, value, aria, onValue }: Props) {
  return (
    <select id={id} {...aria} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{fromDefault(name)}</option>
      {kind.words?.map((word) => (
        <option key={word} value={word} selected={word === value}>
          {word}
        </option>
      ))}
    </select>
  );
}

/** Up to this a slider is worth it: one step is a pixel or more. */
const sliderMax = 400;

function Number_({ id, name, kind: { min = 0, max = 0 }, value, aria, onValue }: Props) {
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
          // What is no number has no value either; it is not blank.
          onValue(value ? valueAsNumber : validity.badInput ? Number.NaN : undefined);
        }}
      />
    </div>
  );
}

/** On, off, or whatever the bot has: a checkbox cannot say the third. */
function Flag({ id, name, value, aria, labelledBy, onValue }: Props) {
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

function Color({ id, name, value, aria, onValue }: Props) {
  const text = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const begin = (value as string | undefined) ?? '';
  return (
    <div class="pair">
      <input
        ref={picker}
        type="color"
        aria-label={`${name}, picker`}
        defaultValue={sixDigits(begin || defaultOf(name))}
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
        defaultValue={begin}
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

/** A colour as a colour input takes it; the empty text for what is none. */
const sixDigits = (color: string): string =>
  /^#([\da-f]{3}){1,2}$/i.test(color)
    ? (color.length === 4 ? color.replace(/[\da-f]/gi, '$&$&') : color).toLowerCase()
    : '';

function LinkParts({ id, value, aria, labelledBy, onValue }: Props) {
  const begin = (value ?? {}) as Link;
  const parts = useRef({ title: begin.title ?? '', link: begin.link ?? '' });
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
            const given = Object.entries(parts.current).filter(([, text]) => text);
            onValue(given.length > 0 ? Object.fromEntries(given) : undefined);
          }}
        />
      ))}
    </fieldset>
  );
}

function List({ id, name, value, aria, onValue }: Props) {
  return (
    <textarea
      id={id}
      {...aria}
      rows={3}
      defaultValue={(value as string[] | undefined)?.join('\n')}
      placeholder={placeholderOf(name)}
      onInput={(event) => {
        const lines = event.currentTarget.value.split('\n').filter((line) => line.trim());
        onValue(lines.length > 0 ? lines : undefined);
      }}
    />
  );
}

function Json({ id, name, value, aria, onValue }: Props) {
  return (
    <textarea
      id={id}
      {...aria}
      rows={4}
      spellcheck={false}
      defaultValue={value === undefined ? '' : JSON.stringify(value, undefined, 2)}
      placeholder={placeholderOf(name)}
      onInput={(event) => onValue(parse(event.currentTarget.value))}
    />
  );
}

/** The value of a JSON text; what is none stays a text, which is told as a wrong value. */
function parse(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The control of each kind; a kind without one cannot be set. */
export const inputs: Record<Control, Input | undefined> = {
  text: { Control: Text },
  removable: { Control: Removable },
  choice: { Control: Choice },
  number: { Control: Number_ },
  flag: { Control: Flag, isGroup: true },
  color: { Control: Color },
  link: { Control: LinkParts, isGroup: true },
  list: { Control: List },
  object: { Control: Json },
  none: undefined,
};
