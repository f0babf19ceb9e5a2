// An event target that counts its listeners, so that a page can be asked which ones it has left.

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

export class CountedTarget {
  readonly #listeners = new Map<string, Map<Listener, boolean>>();

  readonly onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.onError = onError;
  }

  addEventListener = (
    type: string,
    listener: Listener,
    options: boolean | { once?: boolean; signal?: AbortSignal } = {},
  ): void => {
    const { once = false, signal } = typeof options === 'boolean' ? {} : options;
    if (signal?.aborted) return;
    const all = this.#listeners.get(type) ?? new Map<Listener, boolean>();
    this.#listeners.set(type, all);
    if (all.has(listener)) return;
    all.set(listener, once);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener));
  };

  removeEventListener = (type: string, listener: Listener): void => {
    this.#listeners.get(type)?.delete(listener);
  };

  dispatchEvent = (event: Event): boolean => {
    for (const [listener, once] of [...(this.#listeners.get(event.type) ?? [])]) {
      if (!this.#listeners.get(event.type)?.has(listener)) continue;
      if (once) this.removeEventListener(event.type, listener);
      try {
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      } catch (error) {
        this.onError(error);
      }
    }
    return true;
  };

  /** The types of the listeners that are left. */
  left(): string[] {
    return [...this.#listeners].flatMap(([type, all]) => Array.from(all, () => type));
  }
}
