// The whole table of configuration fields, and the layers of values for them. Not in config.ts, because the bundle of the
// chat contains that file. No DOM, no I/O.
import {
  type Configuration,
  chatFields,
  type FieldName,
  launcherFields,
  type Resolved,
  type ResolvedConfiguration,
  type Row,
} from './config.ts';
import { type ConfigurationProblem, invalidValue, unknownField } from './configuration-problems.ts';
import { isBlank, readValue } from './field-kinds.ts';
import { fileFields } from './file-fields.ts';
import { hostPageFields } from './host-page-fields.ts';
import { visitorFields } from './visitor-fields.ts';

/** The whole table. */
export const fields: Record<FieldName, Row> = /* @__PURE__ */ Object.assign(
  {},
  launcherFields,
  hostPageFields,
  chatFields,
  fileFields,
  visitorFields,
);

export const fieldNames = /* @__PURE__ */ Object.keys(fields) as FieldName[];

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
      const read = readValue(row[0], value);
      if (read === undefined) onProblem(invalidValue(name, row[0]));
      else result[name] = read;
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
