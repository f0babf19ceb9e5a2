// Options that come from the page, without what it may have added to all objects.

/** A copy of an object without a prototype: names that a page has added to that of all objects are no options. */
export const ownFields = <T extends object>(source: T): T => Object.assign(Object.create(null), source);
