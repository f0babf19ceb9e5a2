// Finds names that the page uses and no table has. The diagnostics bundle explains them: it is loaded only for such a name.
import { shellFields } from '../../../protocol/page-api/config.ts';
import { isObject } from '../../../protocol/page-api/field-kinds.ts';
import {
  eventNames,
  lazyFieldNames,
  type NameKind,
  optionNames,
  userFieldNames,
} from '../../../protocol/page-api/page-names.ts';
import { load } from '../load.ts';
import { whenIdle } from '../prefetch.ts';
import type { Emitter } from './emitter.ts';

/** Reports, when the browser is idle, the names of an object, or one name, that are not known. */
export type NameCheck = (kind: NameKind, given: unknown) => void;

/** @param assets the folder of the widget's files. */
export function createNameCheck(emit: Emitter['emit'], assets: string): NameCheck {
  const fields = { ...shellFields, ...lazyFieldNames };
  const known: Record<NameKind, object> = {
    configuration: fields,
    // Also the options `configuration` and `user`, which no tool has as attributes.
    attribute: { ...fields, ...optionNames, manual: 0 },
    option: optionNames,
    user: userFieldNames,
    event: { '*': 0, ...eventNames },
  };
  return (kind, given = {}) => {
    // A text in place of an object is reported like a name.
    for (const name of isObject(given) ? Object.keys(given ?? {}) : [String(given)]) {
      if (Object.hasOwn(known[kind], name)) continue;
      // Other tools also put attributes on script tags, so only similar ones count. The diagnostics compare exactly.
      const isSimilar = (other: string) => other.startsWith(name.slice(0, 3)) && name.length > 3;
      if (kind === 'attribute' && !Object.keys(known[kind]).some(isSimilar)) continue;
      whenIdle(() => {
        load('diagnostics', assets).then(
          ({ reportName }) => reportName(emit, kind, name),
          () => {},
        );
      });
    }
  };
}
