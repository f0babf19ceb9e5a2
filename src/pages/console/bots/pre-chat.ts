// The form before the chat as a list of fields that people edit, and back. Pure.
import type { FormOption, PreChatForm } from '../../../protocol/page-api/configuration.ts';

export type FieldKind = 'name' | 'email' | 'topics' | 'text' | 'choice';

export interface EditedField {
  /** Only in this list: the position changes. */
  id: number;
  kind: FieldKind;
  label: string;
  isRequired: boolean;
  /** The choices, one in each line. */
  options: string;
  /** The stored name of an own field, under which the bot and the team have its answers. */
  name?: string;
  stored?: readonly FormOption[];
}

export interface EditedForm {
  text: string;
  fields: EditedField[];
}

let lastId = 0;
export function newField(kind: FieldKind, fields: Partial<EditedField> = {}): EditedField {
  lastId += 1;
  return { id: lastId, kind, label: '', isRequired: false, options: '', ...fields };
}

const labelOf = (option: FormOption): string => (typeof option === 'string' ? option : option.label);
const linesOf = (options: readonly FormOption[]): string => options.map(labelOf).join('\n');

/** Own fields can be in any order; name, address and topic come first, as in the chat. */
export function editedFormOf({ text = '', name, email, topics, fields = [] }: PreChatForm): EditedForm {
  return {
    text,
    fields: [
      ...(name ? [newField('name', { isRequired: name === 'required' })] : []),
      ...(email ? [newField('email', { isRequired: email === 'required' })] : []),
      ...(topics ? [newField('topics', { isRequired: true, options: linesOf(topics), stored: topics })] : []),
      ...fields.map((field) =>
        newField(field.options ? 'choice' : 'text', {
          name: field.name,
          label: field.label ?? field.name,
          isRequired: field.required ?? false,
          ...(field.options && { options: linesOf(field.options), stored: field.options }),
        }),
      ),
    ],
  };
}

/** The choices of the lines; a choice that was stored with a value keeps it. */
function optionsOf({ options, stored = [] }: EditedField): FormOption[] {
  const labels = options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return [...new Set(labels)].map((label) => stored.find((option) => labelOf(option) === label) ?? label);
}

/** The form to be stored; undefined if it asks for nothing. `consent`: the sentence, which "Privacy" edits. */
export function preChatFormOf(
  { text, fields }: EditedForm,
  consent: string | undefined,
): PreChatForm | undefined {
  const of = (kind: FieldKind) => fields.find((field) => field.kind === kind);
  const need = (field: EditedField) => (field.isRequired ? ('required' as const) : ('optional' as const));
  const [name, email, topics] = [of('name'), of('email'), of('topics')];
  const taken = new Set<string>();
  const own = fields
    .filter(({ kind }) => kind === 'text' || kind === 'choice')
    .map((field) => ({
      name: uniqueName(field, taken),
      label: field.label.trim(),
      ...(field.isRequired && { required: true }),
      ...(field.kind === 'choice' && { options: optionsOf(field) }),
    }));
  const form: PreChatForm = {
    ...(text.trim() && { text: text.trim() }),
    ...(name && { name: need(name) }),
    ...(email && { email: need(email) }),
    ...(topics && { topics: optionsOf(topics) }),
    ...(own.length > 0 && { fields: own }),
    ...(consent && { consent }),
  };
  const asks = name ?? email ?? topics ?? own[0] ?? consent;
  return asks ? form : undefined;
}

/** A name from the label, as programs use it; a stored name stays. */
function uniqueName({ name, label }: EditedField, taken: Set<string>): string {
  const base =
    name ??
    (label
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z\d]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) ||
      'field');
  let unique = base;
  for (let n = 2; taken.has(unique); n += 1) unique = `${base}_${n}`;
  taken.add(unique);
  return unique;
}

/** The problem of a field, as a key for a text; undefined if it has none. */
export function problemOfField({ kind, label, options }: EditedField): 'label' | 'options' | undefined {
  if ((kind === 'text' || kind === 'choice') && label.trim() === '') return 'label';
  if ((kind === 'topics' || kind === 'choice') && options.trim() === '') return 'options';
  return undefined;
}

/** Whether another field of this kind can be added. */
export function canAdd(kind: FieldKind, fields: readonly EditedField[]): boolean {
  if (kind === 'text' || kind === 'choice')
    return fields.filter((field) => field.kind === 'text' || field.kind === 'choice').length < 10;
  return fields.every((field) => field.kind !== kind);
}
