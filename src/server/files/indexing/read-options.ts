// The options of the readers of all formats.

export interface ReadOptions {
  /** The `charset` of the content type that the owner of the file has declared. */
  charset?: string | undefined;
  /** Receives a sentence for the owner about text that could not be read, or may be wrong. */
  warn?: ((problem: string) => void) | undefined;
}
