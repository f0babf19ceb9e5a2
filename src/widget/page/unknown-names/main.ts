// The bundle for unknown names: finds names of attributes, options, fields and events that no table has, and explains invalid values.
// Loaded after the chat, and only if the page has passed a name that the launcher does not know, or such a value.
import { fields } from '../../../protocol/page-api/config-layers.ts';
import { isObject } from '../../../protocol/page-api/field-kinds.ts';
import {
  eventNames,
  type NameKind,
  optionNames,
  userFieldNames,
} from '../../../protocol/page-api/page-names.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { reportName } from './unknown-names.ts';

const knownNames: Record<NameKind, object> = {
  configuration: fields,
  // Also the options `configuration` and `user`, which no tool has as attributes.
  attribute: { ...fields, ...optionNames, manual: 0 },
  option: optionNames,
  user: userFieldNames,
  event: { '*': 0, ...eventNames },
  value: {},
};

/** See `Bundles` in launcher-chat-interface.ts. */
export function checkNames(emit: Widget['emit'], kind: NameKind, input: unknown): void {
  // A text in place of an object is reported like a name.
  for (const name of isObject(input) ? Object.keys(input ?? {}) : [String(input)]) {
    if (Object.hasOwn(knownNames[kind], name)) continue;
    // Other tools also put attributes on script tags, so only similar ones count; the comparison that follows is stricter.
    const isSimilar = (other: string) => other.startsWith(name.slice(0, 3)) && name.length > 3;
    if (kind !== 'attribute' || Object.keys(knownNames[kind]).some(isSimilar)) reportName(emit, kind, name);
  }
}
