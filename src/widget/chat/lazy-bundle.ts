// A bundle that is loaded when something needs it. Components that use it render again when it has loaded.
import { signal } from '@preact/signals';
import { platformError } from '../../protocol/error.ts';

export interface LazyBundle<Module> {
  /** `undefined` before it has loaded, `null` after it failed to load. Reading it while rendering subscribes. */
  readonly module: Module | undefined | null;
  /** Loads it unless it has loaded or is loading. After a failure it tries again. Rejects with chunk_failed. */
  get(): Promise<Module>;
  /** Loads it unless that was tried already, so that a rendering does not repeat a failed request. */
  request(): void;
  /** Loads it for an action of the visitor or a new message, also after a failure; then calls `use`. Never rejects. */
  load(use?: (module: Module) => void): void;
}

/** Creates a bundle that `load` imports. */
export function lazyBundle<Module>(load: () => Promise<Module>): LazyBundle<Module> {
  const state = signal<Module | undefined | null>(undefined);
  let loading: Promise<Module> | undefined;
  const get = () => {
    loading ??= load().then(
      (loaded) => {
        state.value = loaded;
        return loaded;
      },
      (cause) => {
        // Another attempt has another address (scripts/build/chunk-plugins.ts).
        loading = undefined;
        state.value = null;
        throw platformError('chunk_failed', 'A part of the chat could not be loaded.', cause);
      },
    );
    return loading;
  };
  return {
    get module() {
      return state.value;
    },
    get,
    request() {
      if (state.peek() !== null) get().catch(() => {});
    },
    load(use) {
      get().then(use, () => {});
    },
  };
}
