// Checks the configuration of the page, the script tag and the dashboard for invalid values and unknown fields, without
// changing it or reporting to the page.
import type { FieldName, FieldTable } from '../../protocol/page-api/config.ts';
import { attributeOf, fieldNames, fields } from '../../protocol/page-api/config-layers.ts';
import { invalidValue, unknownField } from '../../protocol/page-api/configuration-problems.ts';
import { isBlank, type Kind, readText, readValue } from '../../protocol/page-api/field-kinds.ts';
import type { Finding } from '../../protocol/page-api/page-api.ts';
import type { DiagnosticContext } from '../launcher-chat-interface.ts';
import { finding } from './findings.ts';

type Layer = Record<string, unknown>;

/** Returns a finding for every invalid value and every unknown field of the three layers. */
export function checkConfiguration(context: DiagnosticContext): Finding[] {
  const { attributes, initOptions, webchat } = context;
  const { widget } = context;
  const read = widget ? recordReads(widget.resolve) : (name: FieldName) => valuesOf(context, name);
  const messages = new Set<string>();
  for (const name of fieldNames) {
    const [kind] = fields[name];
    const attribute = attributes[name] === undefined ? undefined : readText(kind, attributes[name]);
    for (const value of read(name)) {
      if (isBlank(kind, value)) continue;
      const isAttribute = attribute !== undefined && JSON.stringify(value) === JSON.stringify(attribute);
      const source = isAttribute ? ` (${attributeOf(name)})` : '';
      if (readValue(kind, value) === undefined) messages.add(invalidValue(name, kind).message + source);
    }
  }
  for (const name of Object.keys({ ...initOptions?.configuration, ...webchat?.configuration })) {
    if (!Object.hasOwn(fields, name)) messages.add(unknownField(name).message);
  }
  return [...messages].map((message) => finding('configuration_wrong', message));
}

/**
 * Records the values that the widget reads: `resolve` calls `isBlank` of a kind with every value, and blank values are
 * not reported.
 */
function recordReads(
  resolve: NonNullable<DiagnosticContext['widget']>['resolve'],
): (name: FieldName) => unknown[] {
  const reads = new Map<FieldName, unknown[]>();
  const recorders = fieldNames.map((name) => {
    const values: unknown[] = [];
    reads.set(name, values);
    const kind: Kind = { ...fields[name][0], isBlank: (value) => values.push(value) > 0 };
    return [name, [kind]];
  });
  resolve(Object.fromEntries(recorders) as FieldTable);
  return (name) => reads.get(name) ?? [];
}

/** The values that the widget would read if it were running. */
export function valuesOf(
  { initOptions, attributes, webchat }: DiagnosticContext,
  name: FieldName,
): unknown[] {
  const text = attributes[name];
  const page = initOptions?.configuration as Layer | undefined;
  const dashboard = webchat?.configuration as Layer | undefined;
  return [page?.[name], text === undefined ? text : readText(fields[name][0], text), dashboard?.[name]];
}
