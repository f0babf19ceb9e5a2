// The form for the answer to a question, and the answers after it was sent.
import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { checkResponse, type ResponseIssue } from '../../../protocol/response-schema.ts';
import type { ResponseSchema } from '../../../protocol/types/interrupts.ts';
import { type Control, type Field, initialText, readValue, shownValue, wordsOf } from './form-fields.ts';
import type { SentAnswer } from './responses.ts';
import { strings } from './strings.ts';

type Values = Record<string, unknown>;

interface Props {
  id: string;
  schema: ResponseSchema;
  fields: readonly Field[];
  /** An answer that the server has refused. */
  sent: SentAnswer | undefined;
  onSubmit(values: Values): void;
  /** A button next to the one that sends. */
  children: ComponentChild;
}

export function Form({ id, schema, fields, sent, onSubmit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [issues, setIssues] = useState<readonly ResponseIssue[]>(sent?.issues ?? []);
  const values = sent?.answer.payload;
  // After the error text was added, because it describes the control.
  useLayoutEffect(() => {
    const control = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    control?.focus({ preventScroll: true });
    // With its label and its error.
    control?.closest('.ask-field')?.scrollIntoView({ block: 'nearest' });
  }, [issues]);
  const submit = () => {
    const read = fields.map((field, index): [string, unknown] => {
      const controls = form.current?.querySelectorAll<HTMLInputElement>(`[name="${index}"]`) ?? [];
      return [field.name, readValue(field, [...controls] as Control[])];
    });
    const submitted = Object.fromEntries(read.filter(([, value]) => value !== undefined));
    const newIssues = checkResponse(schema, submitted);
    if (newIssues.length > 0) setIssues(newIssues);
    else onSubmit(submitted);
  };
  return (
    <form
      ref={form}
      class="ask-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map((field, index) => (
        <FieldView
          field={field}
          id={`${id}-${index}`}
          name={String(index)}
          value={values ? values[field.name] : field.property.default}
          issue={issues.find(({ property }) => property === field.name)}
        />
      ))}
      <div class="ask-buttons">
        <button type="submit" class="option" part="interrupt-button" data-first>
          {strings.submit}
        </button>
        {children}
      </div>
    </form>
  );
}

interface FieldProps {
  field: Field;
  id: string;
  name: string;
  value: unknown;
  issue: ResponseIssue | undefined;
}

function FieldView({ field, id, name, value, issue }: FieldProps) {
  const { control, label, description, choices, isRequired } = field;
  const notes = [description && `${id}-note`, issue && `${id}-error`].filter(Boolean).join(' ');
  const described = { 'aria-describedby': notes || undefined };
  const attributes = { ...described, name, 'aria-invalid': !!issue };
  const box = (text: string, isChecked: boolean, more: object) => (
    <label class="ask-check">
      <input type="checkbox" defaultChecked={isChecked} {...more} />
      <bdi>{text}</bdi>
    </label>
  );
  const text = (
    <>
      <bdi>{label}</bdi>
      {!isRequired && <small> ({strings.optional})</small>}
    </>
  );
  const after = (
    <>
      {description && (
        <small id={`${id}-note`} dir="auto">
          {description}
        </small>
      )}
      {issue && (
        <p id={`${id}-error`} class="ask-error">
          {wordsOf(issue, field)}
        </p>
      )}
    </>
  );
  if (control === 'several') {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset class="ask-field" {...described}>
        <legend>{text}</legend>
        {choices.map((choice, index) =>
          box(choice.title, chosen.includes(choice.value), {
            value: choice.value,
            ...(index === 0 ? attributes : { name }),
          }),
        )}
        {after}
      </fieldset>
    );
  }
  if (control === 'checkbox') {
    return (
      <div class="ask-field">
        {box(label, value === true, attributes)}
        {after}
      </div>
    );
  }
  const more = { ...attributes, id, class: 'ask-input', 'aria-required': isRequired };
  return (
    <div class="ask-field">
      <label for={id}>{text}</label>
      {control === 'one' ? (
        <select {...more}>
          <option value="">–</option>
          {choices.map((choice) => (
            <option value={choice.value} selected={choice.value === value}>
              {choice.title}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...more}
          // The attributes are the same for all types here.
          type={control as 'text'}
          // The browser would report values between the steps as errors.
          step="any"
          // With `auto`, an empty control would be left to right, as addresses and numbers are.
          dir={/^(email|url|number)$/.test(control) ? 'ltr' : undefined}
          onInput={({ currentTarget }) => {
            if (control === 'text') currentTarget.dir = currentTarget.value && 'auto';
          }}
          defaultValue={initialText(field, value)}
        />
      )}
      {after}
    </div>
  );
}

/** Returns the labels and the answers of the visitor, in words. */
export const answersOf = (fields: readonly Field[], values: Values): [label: string, answer: string][] =>
  fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map((field) => [field.label, shownValue(field, values[field.name])]);
