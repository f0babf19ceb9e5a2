// The controls, one for each kind of field. They have an initial value and report each change; Field.tsx validates.
import type { ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { url } from '../../../protocol/page-api/field-kinds.ts';
import {
  Color,
  Flag,
  fromDefault,
  type InputProps,
  LinkParts,
  Number_,
  placeholderOf,
} from './compound-inputs.tsx';
import { type Control, longTexts, secrets, suggestions } from './fields.ts';

/** A control, and whether it is a group of several elements. */
interface Input {
  Control(props: InputProps): ComponentChild;
  isGroup?: boolean;
}

function Text({ id, name, kind, value, aria, onValue }: InputProps) {
  const listed = suggestions[name];
  const report = (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value);
  const attributes = {
    id,
    ...aria,
    defaultValue: value as string | undefined,
    placeholder: placeholderOf(name),
    spellcheck: false,
    autocomplete: 'off',
  };
  if (longTexts.includes(name)) {
    return <textarea {...attributes} rows={3} onInput={report} />;
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
        // A value that the browser fetches is applied when it is complete, not after each character.
        {...(listed || kind === url ? { onChange: report } : { onInput: report })}
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

/** A text field with an explicit empty value. */
function ClearableText({ id, name, value, aria, onValue }: InputProps) {
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

function Choice({ id, name, kind, value, aria, onValue }: InputProps) {
  return (
    <select id={id} {...aria} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{fromDefault(name)}</option>
      {kind.values?.map((allowed) => (
        <option key={allowed} value={allowed} selected={allowed === value}>
          {allowed}
        </option>
      ))}
    </select>
  );
}

function List({ id, name, value, aria, onValue }: InputProps) {
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

function Json({ id, name, value, aria, onValue }: InputProps) {
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

/** The value of a JSON text; invalid JSON stays a text, which is then reported as an invalid value. */
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
  clearable: { Control: ClearableText },
  choice: { Control: Choice },
  number: { Control: Number_ },
  flag: { Control: Flag, isGroup: true },
  color: { Control: Color },
  link: { Control: LinkParts, isGroup: true },
  list: { Control: List },
  object: { Control: Json },
  none: undefined,
};
