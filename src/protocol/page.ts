// Types of pagination. Types only.
import type { PageMeta } from './types/query.ts';

/** One page of a list operation; the key that contains the items differs by operation. */
export type Page<Key extends string, Item> = { [K in Key]: Item[] } & { meta: PageMeta };
