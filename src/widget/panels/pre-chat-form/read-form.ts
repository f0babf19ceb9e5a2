// Reads the configuration of the form. The table of fields checks only that it is an object.
import type { userLimits } from '../../../protocol/user.ts';
import { emailLength, isPlainLine, preChatLimits } from '../../../protocol/visitors.ts';

export interface Option {
  label: string;
  value: string;
}

/** One question of the form. */
export interface Field {
  kind: 'name' | 'email' | 'topic' | 'field' | 'consent';
  /** Its name in this form, which is also the name of the answer; that of a field of the site has the prefix `field `. */
  name: string;
  /** The text that the visitor reads; '' for the text of this bundle. */
  label: string;
  isRequired: boolean;
  /** Characters of an answer. */
  maxLength: number;
  /** The choices; undefined for a text. */
  options?: Option[];
}

export interface FormContent {
  /** A text above the fields; '' without one. */
  text: string;
  fields: Field[];
  /** Problems of the parts that are left out. */
  problems: string[];
}

/** Characters of the text above the fields, and of a label; the most choices of a list. */
const maxText = 1_000;
const maxLabel = 200;
const maxOptions = 50;

/** Checked by the compiler: the file of the limit is in another lazy bundle, and would be one more request. */
const nameLength: (typeof userLimits)['userName'] = 200;

/** The name of an answer in a field of the site. */
export const siteField = (name: string): string => `field ${name}`;

/** The name of a field of the site, from the name of its answer. */
export const nameOfSiteField = ({ name }: Pick<Field, 'name'>): string => name.replace('field ', '');

/** Returns what the form asks. Parts that are not valid are left out, because the server would refuse each answer. */
export function readForm(input: unknown): FormContent {
  const { text, name, email, topics, consent, fields } = ownOf(input);
  const problems: string[] = [];
  const note = (part: string, kind: string) =>
    void problems.push(`Configuration: 'preChatForm.${part}' must be ${kind}.`);
  const read: Field[] = [];

  const contact = (kind: 'name' | 'email', wanted: unknown, maxLength: number) => {
    if (wanted === undefined || wanted === null || wanted === '') return;
    if (wanted !== 'required' && wanted !== 'optional') return note(kind, "'required' or 'optional'");
    read.push({ kind, name: kind, label: '', isRequired: wanted === 'required', maxLength });
  };
  contact('name', name, nameLength);
  contact('email', email, emailLength);

  const choices = optionsOf(topics, preChatLimits.topic);
  if (choices) {
    const { topic: maxLength } = preChatLimits;
    read.push({ kind: 'topic', name: 'topic', label: '', isRequired: true, maxLength, options: choices });
  } else if (topics !== undefined) note('topics', `a list of texts or {label, value}, up to ${maxOptions}`);

  const listed = itemsOf(fields);
  const valid = listed.slice(0, preChatLimits.fields).flatMap((item) => fieldOf(item));
  read.push(...valid);
  if (valid.length < listed.length)
    note('fields', `a list of {name, label, required, options}, up to ${preChatLimits.fields}`);

  if (isLine(consent, preChatLimits.consent)) {
    const { consent: maxLength } = preChatLimits;
    read.push({ kind: 'consent', name: 'consent', label: consent.trim(), isRequired: true, maxLength });
  } else if (consent !== undefined)
    note('consent', `a text of one line, up to ${preChatLimits.consent} characters`);

  if (text !== undefined && typeof text !== 'string') note('text', 'a text');
  return { text: typeof text === 'string' ? text.trim().slice(0, maxText) : '', fields: read, problems };
}

function fieldOf(input: unknown): Field[] {
  const { name, label, required, options } = ownOf(input);
  if (!isLine(name, preChatLimits.fieldName)) return [];
  const choices = optionsOf(options, preChatLimits.fieldValue);
  if (options !== undefined && !choices) return [];
  const field: Field = {
    kind: 'field',
    name: siteField(name.trim()),
    label: isLine(label, maxLabel) ? label.trim() : name.trim(),
    isRequired: required === true,
    maxLength: preChatLimits.fieldValue,
  };
  return [choices ? { ...field, options: choices } : field];
}

/** The choices of a list: a text, or a text with the value that is sent. undefined if there are none, or some are not valid. */
function optionsOf(input: unknown, length: number): Option[] | undefined {
  const listed = itemsOf(input);
  const options = listed.flatMap((item): Option[] => {
    const { label, value } = typeof item === 'string' ? { label: item, value: item } : ownOf(item);
    return isLine(label, maxLabel) && isLine(value, length)
      ? [{ label: label.trim(), value: value.trim() }]
      : [];
  });
  const isValid = options.length > 0 && options.length === listed.length && options.length <= maxOptions;
  return isValid ? options : undefined;
}

const isLine = (input: unknown, length: number): input is string =>
  typeof input === 'string' && input.trim() !== '' && input.length <= length && isPlainLine(input.trim());

/** The own properties of a value: a script of the page may have added names to the prototype of all objects. */
function ownOf(input: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null), typeof input === 'object' && !Array.isArray(input) ? input : {});
}

/** A value that is not a list counts as one invalid entry. */
const itemsOf = (input: unknown): unknown[] =>
  input === undefined ? [] : Array.isArray(input) ? input.slice(0, maxOptions + 1) : [undefined];
