// A form from declared fields. Limits come from the declarations of the API (inputs.ts); refusals are shown at their fields.
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { describeProblem, fieldProblems } from './errors.ts';
import { t } from './texts.ts';
import './style/forms.css';

/** The limits of a field, from the schema of its operation. */
export interface Limits {
  isRequired?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  options?: readonly string[];
}

export type FieldKind =
  | 'text'
  | 'email'
  | 'password'
  | 'url'
  | 'number'
  | 'date'
  | 'textarea'
  | 'select'
  /** All options are shown, each with its help. */
  | 'radio'
  | 'check'
  | 'color';

export interface FormField {
  /** The path of the value in the input, such as `agent.url`. */
  name: string;
  label: string;
  help?: ComponentChildren;
  /** Default: `text`; `select` with options. */
  kind?: FieldKind;
  limits?: Limits | undefined;
  /** The names of the options; without it they are the values. */
  options?: readonly { value: string; label: string; help?: string }[];
  placeholder?: string;
  autocomplete?: string;
  rows?: number;
  /** Shown only with these values. */
  isShown?(values: FormValues): boolean;
}

export type FormValue = string | number | boolean;
export type FormValues = Record<string, FormValue>;

interface Props {
  fields: readonly FormField[];
  initial?: FormValues;
  /** The text of the button. */
  button: string;
  /** Rejects with the error of the request. An empty optional field has the value ''. */
  onSubmit(values: FormValues): Promise<unknown>;
  /** Called with every change, for a preview. */
  onChange?(values: FormValues): void;
  onCancel?(): void;
  /** Shown after a success, until the next change. */
  success?: string;
  /** More buttons, beside the first one. */
  children?: ComponentChildren;
  /** Whether there is something to save; default: whether the values differ from the saved ones. */
  isChanged?: boolean;
  /** A name for screen readers, if the page has several forms. */
  label?: string;
}

/** The problem of a value in words; undefined without one. */
export function problemOf(
  { kind, limits = {} }: FormField,
  value: FormValue | undefined,
): string | undefined {
  if (typeof value === 'boolean') return undefined;
  const text = String(value ?? '').trim();
  if (text === '') return limits.isRequired ? t('Enter a value.') : undefined;
  if (kind === 'number') {
    const number = Number(text);
    if (!Number.isFinite(number)) return t('Enter a number.');
    if (limits.minimum !== undefined && number < limits.minimum)
      return t('Enter at least {minimum}.', { minimum: limits.minimum });
    if (limits.maximum !== undefined && number > limits.maximum)
      return t('Enter at most {maximum}.', { maximum: limits.maximum });
    return undefined;
  }
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) return t('Enter an e-mail address.');
  if (kind === 'url' && !/^https?:\/\/[^\s/]/.test(text))
    return t('Enter an address that begins with https://.');
  if (limits.minLength !== undefined && text.length < limits.minLength)
    return t('Enter at least {count} characters.', { count: limits.minLength });
  if (limits.maxLength !== undefined && text.length > limits.maxLength)
    return t('Enter at most {count} characters.', { count: limits.maxLength });
  return undefined;
}

export function Form(props: Props) {
  const { fields, initial, button, onSubmit, onChange, onCancel, success, isChanged, children, label } =
    props;
  const [values, setValues] = useState<FormValues>(initial ?? {});
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [saved, setSaved] = useState(values);
  // Of several forms in a view, only the one with changes has a solid button; dialogs, and forms that create something, have it always.
  const isMain =
    isChanged ?? (onCancel !== undefined || !initial || JSON.stringify(values) !== JSON.stringify(saved));
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const shown = fields.filter((field) => field.isShown?.(values) ?? true);

  const set = (name: string, value: FormValue) => {
    const next = { ...values, [name]: value };
    setValues(next);
    setIsDone(false);
    setProblems(({ [name]: _, ...others }) => others);
    onChange?.(next);
  };
  /** Shows problems, and focuses the first field that has one. */
  const show = (found: Record<string, string>) => {
    setProblems(found);
    const first = shown.find(({ name }) => found[name]);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first.name)}"]`)?.focus();
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setRefusal('');
    const found = Object.fromEntries(
      shown.flatMap((field) => {
        const problem = problemOf(field, values[field.name]);
        return problem ? [[field.name, problem]] : [];
      }),
    );
    if (Object.keys(found).length > 0) return show(found);
    setIsBusy(true);
    try {
      await onSubmit(values);
      setProblems({});
      setSaved(values);
      setIsDone(true);
    } catch (error) {
      const refused = fieldProblems(error);
      const isKnown = shown.some(({ name }) => refused[name]);
      if (isKnown) show(refused);
      else setRefusal(describeProblem(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form class="form" ref={form} noValidate onSubmit={submit} aria-busy={isBusy} aria-label={label}>
      {shown.map((field) => (
        <Fragment key={field.name}>
          <Field
            field={field}
            id={`${id}-${field.name}`}
            value={values[field.name]}
            problem={problems[field.name]}
            onInput={(value) => set(field.name, value)}
          />
        </Fragment>
      ))}
      <p class="problem" role="alert">
        {refusal}
      </p>
      <div class="buttons">
        <button type="submit" class={isMain ? 'main' : undefined} aria-disabled={isBusy}>
          {button}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {t('Cancel')}
          </button>
        )}
        {children}
        <span class="done" role="status">
          {isDone && success}
        </span>
      </div>
    </form>
  );
}

interface FieldProps {
  field: FormField;
  id: string;
  value: FormValue | undefined;
  problem: string | undefined;
  onInput(value: FormValue): void;
}

function Field({ field, id, value, problem, onInput }: FieldProps) {
  const { name, label, help, kind = 'text', limits = {}, options, placeholder, autocomplete, rows } = field;
  const described = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const common = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': problem ? true : undefined,
    'aria-required': limits.isRequired || undefined,
  };
  const text = value === undefined ? '' : String(value);
  const notes = (
    <>
      {help && (
        <p class="hint" id={`${id}-help`}>
          {help}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
  if (kind === 'check') {
    return (
      <div class="field">
        <label class="check" for={id}>
          <input
            {...common}
            type="checkbox"
            checked={value === true}
            onChange={({ currentTarget }) => onInput(currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
        {notes}
      </div>
    );
  }
  if (kind === 'radio') {
    return (
      <fieldset class="field" aria-describedby={common['aria-describedby']}>
        <legend>{label}</legend>
        {options?.map((each) => (
          <label key={each.value} class="check radio-choice">
            <input
              type="radio"
              name={name}
              value={each.value}
              checked={text === each.value}
              onChange={() => onInput(each.value)}
            />
            <span>
              {each.label}
              {each.help && <span class="hint">{each.help}</span>}
            </span>
          </label>
        ))}
        {notes}
      </fieldset>
    );
  }
  const choices = options ?? limits.options?.map((each) => ({ value: each, label: each }));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices ? (
        <select {...common} value={text} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          {choices.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </select>
      ) : kind === 'textarea' ? (
        <textarea
          {...common}
          rows={rows ?? 4}
          value={text}
          placeholder={placeholder}
          dir="auto"
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          // A number is checked here, with words; the field of the browser would drop what it cannot read.
          type={(kind === 'number' || kind === 'select' ? 'text' : kind) as 'text'}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          value={text}
          placeholder={placeholder}
          autocomplete={autocomplete ?? 'off'}
          dir={kind === 'text' ? 'auto' : undefined}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
      {notes}
    </div>
  );
}
