// Evaluates the bundled scripts with globals of their own. A script is compiled once for a worker, and evaluated for each page.
import nodeCrypto from 'node:crypto';
import fs, { readFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { type Realm, timeGlobals } from '../engine/realm.ts';
import { simulatedSqlite } from '../server/sqlite.ts';
import type { Scripts } from './bundle.ts';

type Product = typeof import('../../src/widget/chat/session/session.ts') &
  typeof import('../../src/widget/chat/store/store.ts') &
  typeof import('../../src/widget/launcher/storage.ts') &
  typeof import('../../src/protocol/page-api/config-layers.ts') &
  typeof import('../../src/protocol/error.ts');

/** The exports of the script of a tab. */
export type TabExports = Pick<
  Product,
  'createSession' | 'createStore' | 'createStorage' | 'resolveConfiguration' | 'platformError'
>;

/** The exports of the script of the server. */
export interface ServerExports {
  composeServer: typeof import('../../src/server/composition/server.ts').composeServer;
  unlimitedSettings: typeof import('../../src/server/composition/unlimited.ts').unlimitedSettings;
  openSqlite: typeof import('../../src/server/storage/sqlite.ts').openSqlite;
  forgetLastId: typeof import('../../src/server/storage/ids.ts').forgetLastId;
  inProcess: typeof import('../../src/server/bots/index.ts').inProcess;
  createUserKeys: typeof import('../../src/server/auth/user-keys.ts').createUserKeys;
  issueToken: typeof import('../../src/server/auth/tokens.ts').issueToken;
  insertMember: typeof import('../../src/server/storage/admin/workspaces.ts').insertMember;
  createLogger: typeof import('../../src/server/startup/log.ts').createLogger;
  createMemoryRelayHub: typeof import('../../src/server/cluster/relay/memory-relay.testing.ts').createMemoryRelayHub;
}

type Globals = Record<string, unknown>;

/** The names of the parameters of a tab: a name that is missing here is that of this process. */
const tabNames = [
  'window,self,globalThis,document,navigator,location,localStorage,sessionStorage,BroadcastChannel,caches',
  'fetch,crypto,addEventListener,removeEventListener,dispatchEvent,matchMedia,Notification,StorageEvent,process',
  'setTimeout,clearTimeout,setInterval,clearInterval,setImmediate,clearImmediate,requestAnimationFrame',
  'cancelAnimationFrame,requestIdleCallback,Date,performance,Math,Intl,console,require,module,exports,importModule',
].flatMap((names) => names.split(','));

const serverNames = [
  'setTimeout,clearTimeout,setInterval,clearInterval,setImmediate,clearImmediate,Date,performance,Math,crypto',
  'fetch,require,module,exports,importModule,__filename',
].flatMap((names) => names.split(','));

const compiled = new Map<string, (...globals: unknown[]) => void>();

function run(path: string, names: readonly string[], globals: Globals): unknown {
  let script = compiled.get(path);
  if (!script) {
    const source = `(function (${names}) {${readFileSync(path, 'utf8')}\n})`;
    script = new Script(source, { filename: path }).runInThisContext() as typeof script;
    compiled.set(path, script as NonNullable<typeof script>);
  }
  const module = { exports: {} };
  const all: Globals = { ...globals, module, exports: module.exports };
  script?.(...names.map((name) => all[name]));
  return module.exports;
}

export const evaluateTab = ({ tab }: Scripts, globals: Globals): TabExports =>
  run(tab, tabNames, globals) as TabExports;

const nodeRequire = createRequire(import.meta.url);

/** Modules of the server that were loaded beforehand: `require` cannot load modules of packages that are no scripts. */
async function loadModules(code: string): Promise<Map<string, unknown>> {
  const names = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name = '']) => name);
  const modules = new Map<string, unknown>();
  for (const name of new Set(names)) {
    try {
      modules.set(name, nodeRequire(name));
    } catch {
      modules.set(name, await import(name));
    }
  }
  return modules;
}

/** Answers at once, as from memory: a virtual clock does not wait for a disk. */
const files: Record<string, unknown> = Object.fromEntries(
  Object.entries(fsPromises).map(([name, original]) => {
    const now = (fs as unknown as Record<string, unknown>)[`${name}Sync`];
    return [name, typeof now === 'function' ? async (...args: unknown[]) => now.apply(fs, args) : original];
  }),
);

/** The entries of a folder, read at once: the ones of Node come from a thread. */
files.opendir = async (path: string) => {
  const entries = fs.readdirSync(path, { withFileTypes: true });
  return {
    async *[Symbol.asyncIterator]() {
      yield* entries;
    },
    close: async () => {},
  };
};

/** `node:timers/promises`, with the timers of the simulation. */
function timersPromises({ setTimeout, clearTimeout }: ReturnType<typeof timeGlobals>) {
  const wait = (ms?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(id);
        reject(
          Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }),
        );
      };
      const id = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
      return undefined;
    });
  return { setTimeout: wait, setImmediate: (value?: unknown) => wait(0, value) };
}

/** Only logs read what it stores. The one of Node 20 slows down every promise of the process. */
class NoStorage {
  run = <T>(_store: unknown, work: () => T): T => work();
  getStore = () => undefined;
}

/** The object that Node returns for a timer. */
class Timeout {
  readonly id: number;
  readonly again: () => Timeout;

  constructor(id: number, again: () => Timeout) {
    this.id = id;
    this.again = again;
  }
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
  refresh = () => this.again();
  [Symbol.toPrimitive] = () => this.id;
}

/**
 * Evaluates the server. `realm`: the process that runs now; the next one after a restart uses the same modules.
 * @param databaseTime milliseconds since 1970 of the database
 */
export async function evaluateServer(
  { server }: Scripts,
  realm: () => Realm,
  databaseTime: () => number,
): Promise<ServerExports> {
  const time = timeGlobals(realm);
  const modules = await loadModules(readFileSync(server, 'utf8'));
  const random = {
    randomUUID: () => realm().randomUUID(),
    randomBytes: (size: number) => realm().randomBytes(size),
    getRandomValues: <T extends ArrayBufferView>(view: T) => realm().fillRandom(view),
  };
  modules.set('node:crypto', { ...nodeCrypto, ...random });
  modules.set('node:fs/promises', { ...files, default: files });
  modules.set('node:timers/promises', timersPromises(time));
  modules.set('node:async_hooks', { AsyncLocalStorage: NoStorage });
  const timer =
    (set: typeof time.setTimeout): ((...args: Parameters<typeof set>) => Timeout) =>
    (...args) =>
      new Timeout(set(...args), () => timer(set)(...args));
  const SimulatedDatabase = simulatedSqlite(databaseTime);
  const importModule = async (name: string) => {
    if (name === 'node:sqlite') throw new Error('The clock of the built-in SQLite is real.');
    if (name === '@photostructure/sqlite') return { DatabaseSync: SimulatedDatabase };
    return modules.get(name) ?? import(name);
  };
  const globals = {
    ...time,
    setTimeout: timer(time.setTimeout),
    setInterval: timer(time.setInterval),
    setImmediate: timer(time.setImmediate as typeof time.setTimeout),
    crypto: { ...random, subtle: crypto.subtle },
    fetch: () => Promise.reject(new TypeError('A simulated server calls nobody.')),
    require: (name: string) => modules.get(name) ?? nodeRequire(name),
    importModule,
    __filename: server,
  };
  return run(server, serverNames, globals) as ServerExports;
}
