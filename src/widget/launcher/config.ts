// Resolves the configuration from three layers: `init` and `config` of the page, the attributes of the script tag, and
// the server. The first value of a field that is neither blank nor invalid is used, otherwise its default.
import type { FieldTable, Resolved } from '../../protocol/config.ts';
import {
  type ConfigurationProblem,
  isBlank,
  noField,
  readText,
  readValue,
} from '../../protocol/field-kinds.ts';

type Layer = Record<string, unknown>;

export interface Config {
  /** Replaces the values of the dashboard. */
  dashboard(fields: unknown): void;
  /** Merges the page's fields. A blank or invalid value falls back to the next layer. */
  overlay(fields: unknown): void;
  /** Returns the values of one part of the table. `isLast`: all parts are known now, so other names are reported. */
  resolve<T extends FieldTable>(table: T, isLast?: boolean): Resolved<T>;
}

/**
 * @param attributes the `dataset` of the script tag, in which the browser has converted `data-bot-name` to `botName`.
 * @param onProblem called once for every invalid field and value.
 */
export function createConfig(
  attributes: Record<string, string | undefined>,
  onProblem: (problem: ConfigurationProblem) => void,
): Config {
  const reported = new Set<string>();
  const notify = (problem: ConfigurationProblem) => {
    if (!reported.has(problem.message)) onProblem(problem);
    reported.add(problem.message);
  };
  const known = new Set<string>();
  let base: Layer = {};
  let page: Layer = {};
  return {
    dashboard(fields) {
      base = typeof fields === 'object' ? { ...fields } : {};
    },
    overlay(fields) {
      if (typeof fields === 'object') page = { ...page, ...fields };
    },
    resolve(table, isLast) {
      const result: Layer = {};
      for (const [name, [kind, byDefault]] of Object.entries(table)) {
        known.add(name);
        const text = attributes[name];
        const values = [page[name], text === undefined ? text : readText(kind, text), base[name]];
        for (const value of values) {
          if (!isBlank(kind, value)) result[name] ??= readValue(name, kind, value, notify);
        }
        if (byDefault !== undefined) result[name] ??= byDefault;
      }
      for (const name of Object.keys({ ...base, ...page })) {
        if (isLast && !known.has(name)) notify(noField(name));
      }
      return result as never;
    },
  };
}
