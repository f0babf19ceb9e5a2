// The promise that a function of the bot object returns. It knows whether the bot's code waits for it, so that an error
// that the code ignores is a failure of the bot, and one that it handles is not.

/** A promise that records whether any code waits for it. If none does, its rejection is not reported as unhandled. */
export class CallResult<T> extends Promise<T> {
  /** Promises that are derived from it are plain. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  isAwaited = false;

  constructor(
    start: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void) => void,
  ) {
    super(start);
    super.then(undefined, () => {});
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, which is how a waiting caller is noticed.
  override then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true;
    return super.then(onValue, onError);
  }

  /** Resolves when the result is available. Rejects with its error if no code waits for it. */
  async ignored(): Promise<void> {
    await super.then(undefined, (error: unknown) => {
      if (!this.isAwaited) throw error;
    });
  }
}
