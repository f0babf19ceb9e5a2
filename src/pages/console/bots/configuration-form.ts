// The configuration of a chat as the values of a form, and back. What the form does not show stays as it is stored. Pure.
import type { Configuration, FieldName } from '../../../protocol/page-api/config.ts';
import { fields } from '../../../protocol/page-api/config-layers.ts';
import * as kinds from '../../../protocol/page-api/field-kinds.ts';
import type { FormField, FormValue, FormValues } from '../../ui/Form.tsx';
import { t } from '../../ui/texts.ts';
import type { FieldGroup, FieldLabel } from './configuration-fields.ts';

type Control = 'choice' | 'number' | 'check' | 'color' | 'link' | 'lines' | 'words' | 'home' | 'text';

function controlOf(name: FieldName): Control {
  const [kind] = fields[name];
  if (kind.values) return 'choice';
  if (kind.max !== undefined) return 'number';
  if (name === 'home') return 'home';
  switch (kind) {
    case kinds.flag:
      return 'check';
    case kinds.color:
      return 'color';
    case kinds.link:
      return 'link';
    case kinds.texts:
      return 'lines';
    case kinds.object:
      return 'words';
    default:
      return 'text';
  }
}

/** The name of a field in the form is its path in the request, by which the server names it in a refusal. */
const pathOf = (name: FieldName, part?: string): string => `configuration.${name}${part ? `.${part}` : ''}`;

/** The fields of the form for a group. */
export const formFieldsOf = ({ fields: labels }: FieldGroup): FormField[] => labels.flatMap(formFieldsFor);

function formFieldsFor({ name, label, help, choices, isLong, placeholder }: FieldLabel): FormField[] {
  const [kind, byDefault] = fields[name];
  const common = { name: pathOf(name), label, ...(help && { help }), ...(placeholder && { placeholder }) };
  switch (controlOf(name)) {
    case 'choice': {
      const options = (kind.values ?? []).map((value) => ({ value, label: choices?.[value] ?? value }));
      const isSet = byDefault !== undefined;
      return [
        {
          ...common,
          kind: 'select',
          options: isSet ? options : [{ value: '', label: t('As usual') }, ...options],
        },
      ];
    }
    case 'number': {
      const { min = 0, max = 0 } = kind;
      return [{ ...common, kind: 'number', limits: { minimum: min, maximum: max } }];
    }
    case 'check':
      return [{ ...common, kind: 'check' }];
    case 'color':
      return [{ ...common, kind: 'color' }];
    case 'link':
      return [
        { name: pathOf(name, 'title'), label: t('{name}: text', { name: label }) },
        {
          name: pathOf(name, 'link'),
          label: t('{name}: address or number', { name: label }),
          ...(help && { help }),
        },
      ];
    case 'home':
      return [
        { ...common, kind: 'check' },
        {
          name: pathOf(name, 'title'),
          label: t('Greeting'),
          limits: { maxLength: 200 },
          isShown: (values) => values[pathOf(name)] === true,
        },
        {
          name: pathOf(name, 'text'),
          label: t('Text below the greeting'),
          kind: 'textarea',
          rows: 3,
          limits: { maxLength: 1_000 },
          isShown: (values) => values[pathOf(name)] === true,
        },
      ];
    default:
      return [{ ...common, ...(isLong && { kind: 'textarea' as const }) }];
  }
}

/** The values of the form for a configuration; unset fields have their default. */
export function valuesOf(groups: readonly FieldGroup[], configuration: Configuration): FormValues {
  const values: FormValues = {};
  for (const { fields: labels } of groups)
    for (const { name } of labels) Object.assign(values, valuesFor(name, configuration[name]));
  return values;
}

function valuesFor(name: FieldName, value: unknown): FormValues {
  const [, byDefault] = fields[name];
  switch (controlOf(name)) {
    case 'link': {
      const { title = '', link = '' } = (value ?? {}) as { title?: string; link?: string };
      return { [pathOf(name, 'title')]: title, [pathOf(name, 'link')]: link };
    }
    case 'home': {
      const { title = '', text = '' } = (typeof value === 'object' && value ? value : {}) as {
        title?: string;
        text?: string;
      };
      return {
        [pathOf(name)]: Boolean(value),
        [pathOf(name, 'title')]: title,
        [pathOf(name, 'text')]: text,
      };
    }
    case 'lines':
      return { [pathOf(name)]: ((value ?? []) as string[]).join('\n') };
    case 'words':
      return {
        [pathOf(name)]: Object.entries((value ?? {}) as Record<string, unknown>)
          .map(([word, text]) => `${word} = ${typeof text === 'string' ? text : JSON.stringify(text)}`)
          .join('\n'),
      };
    case 'check':
      return { [pathOf(name)]: Boolean(value ?? byDefault) };
    default:
      return { [pathOf(name)]: (value ?? byDefault ?? '') as FormValue };
  }
}

/** The configuration with the values of a group. Fields that have their default again are left out. */
export function configurationOf(
  { fields: labels }: FieldGroup,
  values: FormValues,
  before: Configuration,
): Configuration {
  const after: Record<string, unknown> = { ...before };
  for (const { name } of labels) {
    const value = readField(name, values, before[name]);
    const [, byDefault] = fields[name];
    const isDefault = value === byDefault && before[name] === undefined;
    if (value === undefined || isDefault) delete after[name];
    else after[name] = value;
  }
  return after as Configuration;
}

function readField(name: FieldName, values: FormValues, before: unknown): unknown {
  const [kind] = fields[name];
  const text = String(values[pathOf(name)] ?? '').trim();
  const part = (of: string) => String(values[pathOf(name, of)] ?? '').trim();
  switch (controlOf(name)) {
    case 'check': {
      const isOn = values[pathOf(name)] === true;
      const [, byDefault = false] = fields[name];
      // Some fields are decided by the server as long as they are not set.
      return isOn === byDefault && before === undefined ? undefined : isOn;
    }
    case 'number':
      return text === '' ? undefined : Number(text);
    case 'link': {
      const link = {
        ...(part('title') && { title: part('title') }),
        ...(part('link') && { link: part('link') }),
      };
      return Object.keys(link).length > 0 ? link : undefined;
    }
    case 'home': {
      if (values[pathOf(name)] !== true) return before === undefined ? undefined : false;
      const {
        title: _,
        text: __,
        ...others
      } = (typeof before === 'object' && before ? before : {}) as Record<string, unknown>;
      const home = {
        ...others,
        ...(part('title') && { title: part('title') }),
        ...(part('text') && { text: part('text') }),
      };
      return Object.keys(home).length > 0 ? home : true;
    }
    case 'lines': {
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      return lines.length > 0 ? lines : undefined;
    }
    case 'words':
      return wordsOf(text);
    default:
      if (kind === kinds.clearableText) return text;
      return text === '' ? undefined : text;
  }
}

/** The lines `name = text`; a text that is a JSON object has one form for each plural category. */
function wordsOf(text: string): Record<string, unknown> | undefined {
  const words: Record<string, unknown> = {};
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    words[name] = value;
    if (!value.startsWith('{')) continue;
    try {
      words[name] = JSON.parse(value);
    } catch {
      // A text that begins with a brace.
    }
  }
  return Object.keys(words).length > 0 ? words : undefined;
}

/** The draft for a chat that already has `stored`: fields that were cleared have their default, or else the chat keeps the stored value. */
export function previewOf(stored: Configuration, draft: Configuration): Configuration {
  const preview: Record<string, unknown> = { ...draft };
  for (const name of Object.keys(stored) as FieldName[]) {
    const [, byDefault] = fields[name];
    if (draft[name] === undefined && byDefault !== undefined) preview[name] = byDefault;
  }
  return preview as Configuration;
}
