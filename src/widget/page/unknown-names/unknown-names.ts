// Explains names that the page uses and no table has: the nearest right name, or where the names are documented. Explains
// which values a field has.
import { platformError } from '../../../protocol/error.ts';
import type { FieldName } from '../../../protocol/page-api/config.ts';
import { attributeOf, fieldNames, fields } from '../../../protocol/page-api/config-layers.ts';
import { invalidValue, unknownField } from '../../../protocol/page-api/configuration-problems.ts';
import {
  eventNames,
  type NameKind,
  nameDifference,
  optionNames,
  userFieldNames,
} from '../../../protocol/page-api/page-names.ts';
import type { Widget } from '../../launcher-chat-interface.ts';

const reported = new Set<string>();

/** Prints once that a name is unknown, with the nearest right one, or its value invalid, and emits it as an error. */
export function reportName(emit: Widget['emit'], kind: NameKind, name: string): void {
  const message = explain(kind, name);
  if (message === undefined || reported.has(message)) return;
  reported.add(message);
  console.warn(`[platform] ${message}`);
  const isArgument = kind === 'user' || kind === 'event';
  emit('error', platformError(isArgument ? 'invalid_argument' : 'invalid_configuration', message));
}

const configurationPage = 'docs/reference/configuration.md';
const readmePage = 'README.md#windowplatform';

/** The sentence for one unknown name or invalid value; undefined for an attribute that may belong to another tool. */
export function explain(kind: NameKind, name: string): string | undefined {
  if (kind === 'attribute') {
    // Only names that begin alike are reported (main.ts): `data-name` is not a misspelled `data-home`.
    const candidates = [...fieldNames, 'chatUrl', 'target', 'manual'].filter((other) => other[0] === name[0]);
    const near = nearest(name, candidates, (other) => other.startsWith(name)) as FieldName | undefined;
    if (!near) return undefined;
    return `Script tag: no attribute '${attributeOf(name as FieldName)}'. Did you mean '${attributeOf(near)}'? See ${configurationPage}.`;
  }
  if (kind === 'configuration')
    return `${unknownField(name).message}${suggestion(name, fieldNames)} See ${configurationPage}.`;
  if (kind === 'value') return invalidValue(name, fields[name as FieldName][0]).message;
  if (kind === 'option') {
    if (Object.hasOwn(fields, name))
      return `'${name}' is a field of the configuration: config({ configuration: { ${name} } }).`;
    if (Object.hasOwn(userFieldNames, name))
      return `'${name}' is a field of the user: config({ user: { ${name} } }).`;
    return `init() and config() have no option '${name}'.${suggestion(name, Object.keys(optionNames))}`;
  }
  if (kind === 'user') {
    const near = suggestion(name, Object.keys(userFieldNames));
    return `A user has no field '${name}'.${near || ` Put it into data: updateUser({ data: { ${name} } }).`} See ${readmePage}.`;
  }
  const events = Object.keys(eventNames);
  return `There is no event '${name}'.${suggestion(name, events) || ` Available: ${events.join(', ')}, *.`} See ${readmePage}.`;
}

function suggestion(name: string, candidates: readonly string[]): string {
  const near = nearest(name, candidates);
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}

/** The name that differs least, if it is similar: few other characters, or `isPart` says that one is part of the other. */
function nearest(
  name: string,
  candidates: readonly string[],
  isPart = (other: string) => contains(name, other) || contains(other, name),
): string | undefined {
  const distance = (other: string) => {
    const difference = nameDifference(name, other);
    return isPart(other) ? Math.min(difference, 2) : difference;
  };
  const [near] = [...candidates].sort((a, b) => distance(a) - distance(b));
  return near !== undefined && distance(near) <= Math.min(3, name.length / 2) ? near : undefined;
}

const contains = (a: string, b: string) => b.length > 3 && a.toLowerCase().includes(b.toLowerCase());
