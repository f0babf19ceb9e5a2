// Resolves the configuration from three layers: `init` and `config` of the page, the attributes of the script tag, and
// the server. The first value of a field that is neither blank nor invalid is used, otherwise its default.
import type { FieldTable, Resolved } from '../../protocol/page-api/config.ts';
import { isBlank, isObject, readText, readValue } from '../../protocol/page-api/field-kinds.ts';

type Layer = Record<string, unknown>;

export interface Config {
  /** Replaces the values of the dashboard. */
  dashboard(fields: unknown): void;
  /** Merges the page's fields. A blank or invalid value falls back to the next layer. `texts` replace the attributes. */
  overlay(fields: unknown, texts?: Record<string, string | undefined>): void;
  /** Returns the values of one part of the table. */
  resolve<T extends FieldTable>(table: T): Resolved<T>;
  /** Whether a layer has one of the fields that are marked, also with an invalid value. */
  hasAny(marks: Record<string, unknown>): boolean;
}

/**
 * @param attributes the `dataset` of the script tag, in which the browser has converted `data-bot-name` to `botName`.
 * @param onInvalid called once for every field with an invalid value.
 */
export function createConfig(
  attributes: Record<string, string | undefined>,
  onInvalid: (field: string) => void,
): Config {
  const reported = new Set<string>();
  // Without a prototype: a script of the page may have added names to that of all objects.
  let base: Layer = { __proto__: null };
  let page = base;
  return {
    dashboard(fields) {
      base = { __proto__: null, ...(isObject(fields) && fields) };
    },
    overlay(fields, texts = attributes) {
      attributes = texts;
      page = { __proto__: null, ...page, ...(isObject(fields) && fields) };
    },
    resolve(table) {
      const result: Layer = { __proto__: null };
      for (const [name, [kind, byDefault]] of Object.entries(table)) {
        const text = attributes[name];
        const values = [page[name], text === undefined ? text : readText(kind, text), base[name]];
        for (const value of values) {
          if (isBlank(kind, value)) continue;
          const read = readValue(kind, value);
          result[name] ??= read;
          if (read !== undefined || reported.has(name)) continue;
          reported.add(name);
          onInvalid(name);
        }
        if (byDefault !== undefined) result[name] ??= byDefault;
      }
      return result as never;
    },
    hasAny: (marks) =>
      Object.entries({ ...base, ...attributes, ...page }).some(
        ([name, value]) => marks[name] || value === 'page',
      ),
  };
}
