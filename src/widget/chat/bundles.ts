// The one place where the chat loads its other chunks. A chunk is asked for when something needs it, and components
// that read it wake when it is there.
import { platformError } from '../../protocol/error.ts';

export interface Chunk<Module> {
  /** `undefined` before it is there, `null` after it could not be loaded. */
  readonly module: Module | undefined | null;
  /** Gives it, loaded now unless it is there or on its way. After a failure: tries again. Rejects with chunk_failed. */
  get(): Promise<Module>;
  /**
   * Has it loaded; `onChunk` listeners are told what came of it. What failed is tried again only for somebody: `then`, which
   * is called when it is there, if it is a function.
   */
  ask(then?: unknown): void;
}

const listeners = new Set<() => void>();
let count = 0;

/** How many times a chunk has come or failed: when it differs, what stands there may be drawn otherwise. */
export const chunkCount = (): number => count;

/** Calls `listener` whenever a chunk has come, or failed. Gives the function that ends it. */
export function onChunk(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function chunk<Module>(load: () => Promise<Module>): Chunk<Module> {
  let module: Module | undefined | null;
  let loading: Promise<Module> | undefined;
  const settle = (loaded: Module | null) => {
    module = loaded;
    count++;
    for (const listener of listeners) listener();
  };
  const get = () => {
    loading ??= load().then(
      (loaded) => {
        settle(loaded);
        return loaded;
      },
      (cause) => {
        // Another try is worth it where the browser forgets failures (Firefox does not).
        loading = undefined;
        settle(null);
        throw platformError('chunk_failed', 'A part of the chat could not be loaded.', cause);
      },
    );
    return loading;
  };
  return {
    get module() {
      return module;
    },
    get,
    ask(then) {
      if (module !== null || then) void get().then(then as () => void, () => {});
    },
  };
}

/** Markdown. */
export const rich = chunk(() => import('../markdown/main.ts'));
/** What bots say beyond text. */
export const media = chunk(() => import('../extras/media/main.tsx'));
/** What visitors do beyond writing. */
export const tools = chunk(() => import('../extras/main.tsx'));
/** What the session can do beyond the first message. */
export const visit = chunk(() => import('./session/actions.ts'));
/** The proof of work that a server may ask for. */
export const proof = chunk(() => import('./session/proof-of-work.ts'));
/** The font that the site asks for. */
export const fonts = chunk(() => import('./fonts.ts'));
