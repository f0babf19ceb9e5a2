// The set-up of the playground and its form in the address: fields as `data-` attribute texts, and the page around the chat.
import type { Configuration, FieldName } from '../../protocol/page-api/config.ts';
import { fieldNames, fields, readLayer } from '../../protocol/page-api/config-layers.ts';
import { unknownField } from '../../protocol/page-api/configuration-problems.ts';
import { readText } from '../../protocol/page-api/field-kinds.ts';
import { secrets } from './controls/fields.ts';

/** The page around the chat. */
export interface View {
  frame: 'phone' | 'desktop';
  ground: 'light' | 'dark';
  dir: 'ltr' | 'rtl';
  /** The language of the page. */
  lang: string;
  /** The last part of the chat's address. */
  bot: string;
}

export interface Setup {
  configuration: Configuration;
  view: View;
}

/** The languages to choose from: those of the widget. */
export const languages =
  'ar bn cs da de el en es fa fi fr he hi hu id it ja ko nb nl pl pt pt-PT ro ru sv th tr uk vi zh zh-Hant'.split(
    ' ',
  );

export const defaultView: View = { frame: 'desktop', ground: 'light', dir: 'ltr', lang: 'en', bot: 'demo' };
export const viewNames = Object.keys(defaultView) as (keyof View)[];

const viewChecks: Record<keyof View, RegExp> = {
  frame: /^(phone|desktop)$/,
  ground: /^(light|dark)$/,
  dir: /^(ltr|rtl)$/,
  lang: /^[a-z]{2,8}(-[a-z\d]{1,8}){0,4}$/i,
  bot: /^[\w-]{1,100}$/,
};
export const isView = (name: keyof View, text: string): boolean => viewChecks[name].test(text);

const viewPrefix = 'view.';

/** The fields that are set, in the order of the table. */
export const setFields = (configuration: Configuration): FieldName[] =>
  fieldNames.filter((name) => configuration[name] !== undefined);

/** A value as the text of its `data-` attribute. */
export function textOf(name: FieldName, value: unknown): string {
  const [{ isJson, max }] = fields[name];
  return isJson || max ? JSON.stringify(value) : String(value);
}

/** The part of the address after `#`: the set fields without secrets. */
export function writeHash({ configuration, view }: Setup): string {
  const hash = new URLSearchParams();
  for (const name of setFields(configuration)) {
    if (!secrets.includes(name)) hash.set(name, textOf(name, configuration[name]));
  }
  for (const name of viewNames) {
    if (view[name] !== defaultView[name]) hash.set(viewPrefix + name, view[name]);
  }
  return hash.toString();
}

/** Reads the output of `writeHash` or any other text; invalid parts are left out and listed in `problems`. */
export function readHash(hash: string): { setup: Setup; problems: string[] } {
  const problems: string[] = [];
  const view: View = { ...defaultView };
  const layer = new Map<string, unknown>();
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const viewName = viewNames.find((candidate) => viewPrefix + candidate === name);
    if (viewName) {
      if (isView(viewName, text)) Object.assign(view, { [viewName]: text });
      else problems.push(`'${name}' cannot be '${clip(text)}'.`);
    } else if (secrets.includes(name as FieldName)) {
      problems.push(`'${name}' is a secret, which is not read from an address.`);
    } else if (Object.hasOwn(fields, name)) {
      layer.set(name, readText(fields[name as FieldName][0], text));
    } else {
      problems.push(withoutPrefix(unknownField(clip(name)).message));
    }
  }
  const configuration = readLayer(Object.fromEntries(layer), ({ message }) =>
    problems.push(withoutPrefix(message)),
  );
  return { setup: { configuration, view }, problems };
}

/** A problem of the configuration without the prefix "Configuration:". */
export const withoutPrefix = (message: string): string =>
  message.replace(/^Configuration: (.)/, (_, letter: string) => letter.toUpperCase());

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
