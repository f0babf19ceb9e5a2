// The list as it is shown, for keys and commands that are not in it: of a long list, only a part is in the document.

export interface ShownList {
  /** The conversations in the order of the list, also those that are not in the document. */
  order: readonly string[];
  /** Brings a row into view, draws it and focuses it. */
  focus(id: string): void;
}

/** What the list has registered; undefined before it is drawn. */
export interface ShownListRef {
  current?: ShownList | undefined;
}
