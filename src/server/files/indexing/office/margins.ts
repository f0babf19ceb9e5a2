// Collects the texts of headers and footers: each one once, without those that are a page number, such as "Page 3 of 12".
export interface Margins {
  /** The texts in their order. */
  readonly texts: ReadonlySet<string>;
  /** Notes that the open paragraph has the number of a page. */
  addNumber(): void;
  /** Ends a paragraph with this text. */
  add(text: string): void;
}

export function createMargins(): Margins {
  const texts = new Set<string>();
  let hasNumber = false;
  return {
    texts,
    addNumber() {
      hasNumber = true;
    },
    add(text) {
      const words = text.match(/\p{L}+/gu) ?? [];
      if (!hasNumber || words.length > 2) texts.add(text.trim());
      hasNumber = false;
    },
  };
}
