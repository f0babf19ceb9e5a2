// Types of pagination. Types only.

/** `meta` is always present; `nextToken` only if there are more items. */
export interface PageMeta {
  nextToken?: string;
}

/** One page of a list operation; the key that contains the items differs by operation. */
export type Page<Key extends string, Item> = { [K in Key]: Item[] } & { meta: PageMeta };
