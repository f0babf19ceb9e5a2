// Bundles the product of a checkout: the session of the widget as a script for a tab, and the server as a script for a process.
// Each global of theirs becomes a parameter (evaluate.ts), so that each tab and process has its own timers, storage and network.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RolldownPluginOption, rolldown } from 'rolldown';

/** Bundles of the window that only draw: without a DOM nothing of them is used. */
const drawn = /\/(?:fonts|panels\/start|(?:markdown|extras|answers)\/main)\.tsx?$/;

const tabEntry = (root: string): string => `
  export { createSession } from '${root}/src/widget/chat/session/session.ts';
  export { createStore } from '${root}/src/widget/chat/store/store.ts';
  export { createStorage } from '${root}/src/widget/launcher/storage.ts';
  export { resolveConfiguration } from '${root}/src/protocol/page-api/config-layers.ts';
  export { platformError } from '${root}/src/protocol/error.ts';
`;

const serverEntry = (root: string): string => `
  export { composeServer } from '${root}/src/server/composition/server.ts';
  export { unlimitedSettings } from '${root}/src/server/composition/unlimited.ts';
  export { openSqlite } from '${root}/src/server/storage/sqlite.ts';
  export { forgetLastId } from '${root}/src/server/storage/ids.ts';
  export { inProcess } from '${root}/src/server/bots/index.ts';
  export { createUserKeys } from '${root}/src/server/auth/user-keys.ts';
  export { issueToken } from '${root}/src/server/auth/tokens.ts';
  export { insertMember } from '${root}/src/server/storage/admin/workspaces.ts';
  export { createLogger } from '${root}/src/server/startup/log.ts';
  export { createMemoryRelayHub } from '${root}/src/server/cluster/relay/memory-relay.testing.ts';
`;

/** The paths of the scripts. */
export interface Scripts {
  tab: string;
  server: string;
}

/** Writes both scripts into a folder. `root`: the folder of a checkout, whose `src` is bundled. */
export async function bundleProduct(root: string, folder: string): Promise<Scripts> {
  await mkdir(folder, { recursive: true });
  const write = async (name: keyof Scripts, code: string): Promise<string> => {
    const path = join(folder, `${name}.js`);
    await writeFile(path, code);
    return path;
  };
  const [tab, server] = await Promise.all([
    bundle(root, tabEntry(root), 'browser', []),
    // The code of the bundle uses the simulated globals. Other packages are loaded by this process.
    bundle(root, serverEntry(root), 'node', [/^(?!hono(?:\/|$)|@hono\/)[^./]/]),
  ]);
  return { tab: await write('tab', tab), server: await write('server', server) };
}

async function bundle(
  root: string,
  entry: string,
  platform: 'browser' | 'node',
  external: RegExp[],
): Promise<string> {
  const entryPath = join(root, 'src/simulation-entry.ts');
  const plugin: RolldownPluginOption = {
    name: 'simulation',
    resolveId: (id) => (id === entryPath ? id : undefined),
    load(id) {
      if (id === entryPath) return entry;
      if (id.includes('.css')) return { code: 'export default ""', moduleType: 'js' };
      return platform === 'browser' && drawn.test(id) ? { code: 'export {}', moduleType: 'js' } : undefined;
    },
  };
  const built = await rolldown({
    cwd: root,
    input: entryPath,
    platform,
    external,
    treeshake: { moduleSideEffects: false },
    logLevel: 'silent',
    plugins: [plugin],
  });
  try {
    const { output } = await built.generate({ format: 'cjs', exports: 'named', codeSplitting: false });
    const [{ code }] = output;
    // Neither exists in a classic script. The server resolves its own files, of which a simulation uses none.
    return code
      .replaceAll(/\bimport\(/g, 'importModule(')
      .replaceAll('import.meta.url', '"file:///simulation/server.js"');
  } finally {
    await built.close();
  }
}
