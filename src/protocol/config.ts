// The fields of the configuration, in one table. Values, defaults, checks, `data-` attributes, the documentation and
// the playground are derived from it. It has three parts, because three bundles use different fields. No DOM, no I/O.

import type { Configuration } from './configuration.ts';
import {
  type ConfigurationProblem,
  clearableText,
  color,
  distance,
  flag,
  isBlank,
  type Kind,
  link,
  object,
  readValue,
  rules,
  text,
  texts,
  unknownField,
  unsupported,
  url,
} from './field-kinds.ts';

export type { Configuration, Phrase } from './configuration.ts';

export type FieldName = keyof Configuration;

/** The kind of value of a field, and its default; without a default the field is unset. */
type Row = readonly [kind: Kind, byDefault?: unknown];
export type FieldTable = { [N in FieldName]?: Row };

/** The fields that the launcher needs, on every page view. The defaults are those of existing widgets. */
export const shellFields = {
  color: [color, '#3276EA'],
  themeMode: [{ words: ['light', 'dark', 'auto', 'page'] }, 'light'],
  variant: [{ words: ['solid', 'soft'] }, 'solid'],
  radius: [{ min: 0.5, max: 4 }, 4],
  fontFamily: [text],
  additionalStylesheet: [text],
  position: [{ words: ['left', 'right'] }],
  offset: [distance, 20],
  offsetX: [distance],
  offsetY: [distance],
  launcher: [flag, true],
  locale: [text],
  strings: [object],
  storageLocation: [{ words: ['localStorage', 'sessionStorage'] }, 'localStorage'],
  prefetch: [flag, true],
} as const satisfies FieldTable;

/** The fields that only the host-page bundle needs. It is loaded if one of them is set. */
export const hostPageFields = {
  fabImage: [url],
  additionalStylesheetUrl: [url],
  density: [{ words: ['comfortable', 'compact'] }],
  textSize: [{ min: 12, max: 24 }],
  zIndex: [{ min: 0, max: 2147483647 }],
  avoid: [text],
  proactiveMessage: [text],
  proactiveDelay: [{ min: 0, max: 3600 }, 10],
  proactive: [rules],
} as const satisfies FieldTable;

/** The fields that the chat needs: they are part of its bundle, and checked after it has loaded. */
export const chatFields = {
  botName: [text, 'Bot'],
  botAvatar: [url],
  botDescription: [text],
  headerVariant: [{ words: ['solid', 'glass'] }, 'glass'],
  // Its default is a string of each catalogue.
  composerPlaceholder: [text],
  footer: [clearableText, 'Powered by Platform Webchat'],
  starters: [texts],
  allowFileUpload: [flag],
  feedbackEnabled: [flag, false],
  soundEnabled: [flag, false],
  remoteImages: [{ words: ['click', 'listed', 'all'] }, 'click'],
  imageOrigins: [text],
  adminKey: [text],
  adminSecret: [text],
  showPoweredBy: [unsupported],
  phone: [link],
  email: [link],
  website: [link],
  termsOfService: [link],
  privacyPolicy: [link],
} as const satisfies FieldTable;

/** The whole table. */
export const fields: Record<FieldName, Row> = /* @__PURE__ */ Object.assign(
  {},
  shellFields,
  hostPageFields,
  chatFields,
);

/** Fields that only the page itself may set or read: servers, bots and attributes omit them. */
export const secretFields: readonly FieldName[] = ['adminKey', 'adminSecret'];

export const fieldNames = /* @__PURE__ */ Object.keys(fields) as FieldName[];

type Defaulted<T> = { [N in keyof T]: T[N] extends readonly [Kind] ? never : N }[keyof T];

/** One part of a configuration after all layers: fields with a default are always defined. */
export type Resolved<T> = Pick<Configuration, Extract<keyof T, FieldName>> &
  Required<Pick<Configuration, Extract<Defaulted<T>, FieldName>>>;

export type ShellConfiguration = Resolved<typeof shellFields>;
/** A configuration after all layers, as the chat sees it: without the fields around its window. */
export type ResolvedConfiguration = ShellConfiguration & Resolved<typeof chatFields>;

/**
 * The values of one layer (the dashboard, a bot): blank ones are omitted, numbers clamped, invalid or unknown ones
 * omitted and reported to `onProblem`.
 */
export function readLayer(layer: unknown, onProblem: (problem: ConfigurationProblem) => void): Configuration {
  const result: Record<string, unknown> = {};
  if (typeof layer !== 'object' || layer === null) return result;
  for (const [name, value] of Object.entries(layer)) {
    const row = Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined;
    if (!row) onProblem(unknownField(name));
    else if (!isBlank(row[0], value)) {
      const read = readValue(name, row[0], value, onProblem);
      if (read !== undefined) result[name] = read;
    }
  }
  return result;
}

/** Merges layers over the defaults; the first layer has precedence. Layers are results of `readLayer`. */
export function resolveConfiguration(
  ...layers: Configuration[]
): ResolvedConfiguration & Resolved<typeof hostPageFields> {
  const defaults = fieldNames.flatMap((name) => {
    const [, byDefault] = fields[name];
    return byDefault === undefined ? [] : [[name, byDefault]];
  });
  return Object.assign(Object.fromEntries(defaults), ...layers.reverse()) as ResolvedConfiguration &
    Resolved<typeof hostPageFields>;
}

/** The `data-` attribute of a field on the script tag: `botName` is `data-bot-name`. */
export const attributeOf = (name: FieldName): string =>
  `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
