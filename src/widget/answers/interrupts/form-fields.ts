// The fields of a form: reads the fields from the schema of an answer, and the values from the controls. A schema comes
// from the wire and can have any form.
import { choicesOf, type ResponseIssue } from '../../../protocol/response-schema.ts';
import type { ResponseProperty, ResponseSchema } from '../../../protocol/types/interrupts.ts';
import { toDrawable } from '../../chat/payloads/drawable.ts';
import { interpolate, language } from '../../i18n/current.ts';
import { strings } from './strings.ts';

export interface Field {
  name: string;
  label: string;
  description: string;
  isRequired: boolean;
  /** The type of its control: a type of input, or a list with one or several choices. */
  control: 'checkbox' | 'email' | 'url' | 'date' | 'datetime-local' | 'number' | 'text' | 'one' | 'several';
  choices: readonly { value: string; title: string }[];
  property: ResponseProperty;
}

/** A control as the browser has it. */
export type Control = Pick<HTMLInputElement, 'value' | 'checked' | 'validity'>;

type Values = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? toDrawable(value) : '');

const controlOfFormat = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;

/** Reads the fields of a form; undefined if it cannot be shown. */
export function readFields({ properties, required }: ResponseSchema): Field[] | undefined {
  try {
    return Object.entries(properties).map(([name, property]) => {
      const choices = choicesOf(property)?.map(({ value, title }) => ({
        value,
        title: text(title) || text(value),
      }));
      if (property.type === 'array' && !choices) throw new Error('A list needs choices.');
      return {
        name,
        label: text(property.title) || name,
        description: text(property.description),
        isRequired: property.type !== 'boolean' && required?.includes(name) === true,
        control: controlOf(property, !!choices),
        choices: choices ?? [],
        property,
      };
    });
  } catch {
    return undefined;
  }
}

function controlOf(property: ResponseProperty, hasChoices: boolean): Field['control'] {
  if (property.type === 'array') return 'several';
  if (property.type === 'boolean') return 'checkbox';
  if (property.type !== 'string') return 'number';
  if (hasChoices) return 'one';
  return (property.format && controlOfFormat[property.format]) || 'text';
}

/**
 * Returns the value of a field for the answer; undefined if the field is left out. If the browser cannot read a text as
 * a number or date, the result is a value that the schema does not allow.
 */
export function readValue({ control, isRequired }: Field, controls: readonly Control[]): unknown {
  const [first] = controls;
  if (!first) return undefined;
  if (control === 'checkbox') return first.checked;
  if (control === 'several') {
    const values = controls.filter(({ checked }) => checked).map(({ value }) => value);
    return values.length > 0 || isRequired ? values : undefined;
  }
  const { value, validity } = first;
  if (validity.badInput) return control === 'number' ? Number.NaN : '?';
  if (value === '') return undefined;
  if (control === 'number') return Number(value);
  if (control !== 'datetime-local') return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString();
}

/** Returns the text with which a control begins. */
export function initialText({ control }: Field, value: unknown): string {
  if (control !== 'datetime-local' || typeof value !== 'string') return String(value ?? '');
  const date = new Date(value);
  // The control has the time of this device, without its zone. `setMinutes()` would add across a change of the clock.
  date.setUTCMinutes(date.getUTCMinutes() - date.getTimezoneOffset());
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16);
}

/** Returns a value as it is shown after the answer. */
export function shownValue({ control, choices }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (typeof value === 'number') return value.toLocaleString(language.locale);
  const titleOf = (item: unknown) => choices.find((choice) => choice.value === item)?.title ?? text(item);
  if (Array.isArray(value)) return value.map(titleOf).join(', ');
  const date = new Date(text(value));
  if (Number.isNaN(date.getTime())) return titleOf(value);
  if (control === 'date') return date.toLocaleDateString(language.locale, { timeZone: 'UTC' });
  return control === 'datetime-local' ? date.toLocaleString(language.locale) : titleOf(value);
}

/** Returns what is wrong in a field, in words. */
export function wordsOf(issue: ResponseIssue, { property }: Field): string {
  const rules: Values = { ...property };
  const limit = (words: string) => interpolate(words, { value: Number(rules[issue.rule]) });
  switch (issue.rule) {
    case 'minLength':
      return limit(strings.fieldShortest);
    case 'maxLength':
      return limit(strings.fieldLongest);
    case 'minimum':
    case 'minItems':
      return limit(strings.fieldLeast);
    case 'maximum':
    case 'maxItems':
      return limit(strings.fieldMost);
    case 'format':
      return formatWords(rules.format);
    case 'type':
      return property.type === 'integer' ? strings.fieldWhole : strings.fieldNumber;
    default:
      return strings.fieldMissing;
  }
}

function formatWords(format: unknown): string {
  if (format === 'email') return strings.fieldEmail;
  return format === 'uri' ? strings.fieldAddress : strings.fieldDate;
}
