// Writes the tags of a request, and reads those by which a resource is searched.
import { limits } from '../../../protocol/limits.ts';
import { ApiError } from '../../api/errors.ts';
import type { WriteTx } from '../../storage/database.ts';
import { changeTags, type TagKind } from '../../storage/runtime/tags.ts';

type Changes = Readonly<Record<string, string | null>>;
/** The fields of a request that contain tags of some kind. */
export interface TagFields {
  tags?: Changes;
  properties?: Changes;
  attributes?: Changes;
}

const kinds = { tags: 'tag', properties: 'property', attributes: 'attribute' } as const satisfies Record<
  keyof TagFields,
  TagKind
>;

/**
 * Stores the tags, properties and attributes of a request. `own`: the tags that the server sets, which a request can
 * repeat but not change; `reserved`: their possible names. Returns whether any is different now. Throws InvalidPayload and
 * QuotaExceeded.
 */
export async function storeTags(
  tx: WriteTx,
  resource: { id: string; botId: string },
  fields: TagFields,
  own: Readonly<Record<string, string>> = {},
  reserved: readonly string[] = [],
): Promise<boolean> {
  let isAnyChanged = false;
  for (const [field, kind] of Object.entries(kinds) as [keyof TagFields, TagKind][]) {
    const changes = { ...fields[field] };
    if (field === 'tags') {
      for (const name of reserved) {
        if (!Object.hasOwn(changes, name)) continue;
        if (changes[name] !== own[name])
          throw new ApiError(
            'InvalidPayload',
            `tags.${name}: The server sets this tag. Choose another name.`,
          );
        delete changes[name];
      }
    }
    if (Object.keys(changes).length === 0) continue;
    const { count, isChanged } = await changeTags(tx, resource, kind, changes);
    isAnyChanged ||= isChanged;
    if (count > limits.tags) {
      throw new ApiError('QuotaExceeded', `${field}: At most ${limits.tags} ${field} are stored.`);
    }
  }
  return isAnyChanged;
}

/**
 * The tags by which a resource is searched: all with a value, or those that `names` lists. `exactly`: it must have no
 * others. Throws InvalidPayload if nothing would decide.
 */
export function searchedTags(
  tags: Changes,
  names: readonly string[] | undefined,
): { wanted: Record<string, string>; exactly: boolean } {
  const valued = Object.entries(tags).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const valueByName = new Map(valued);
  const missing = names?.find((name) => !valueByName.has(name));
  if (missing !== undefined) {
    throw new ApiError('InvalidPayload', `discriminateByTags: tags has no value of ${missing}.`);
  }
  if (valueByName.size === 0) {
    throw new ApiError('InvalidPayload', 'tags: Expected at least one tag with a value, to search by it.');
  }
  const wanted = valued.filter(([name]) => names?.includes(name) ?? true);
  return { wanted: Object.fromEntries(wanted), exactly: names === undefined };
}
