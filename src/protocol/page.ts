// The words of pagination. Types only; no I/O.

/** `meta` is always there; `nextToken` only while more items remain. */
export interface PageMeta {
  nextToken?: string;
}

/** One page of a list operation; the key that holds the items differs by operation. */
export type Page<Key extends string, Item> = { [K in Key]: Item[] } & { meta: PageMeta };
