// Builds the packages of src/packages into dist/packages, after the widget (scripts/build.mjs). A manifest in the sources
// has no version: all packages have the version of this repository, and require exactly it of each other.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile } from './run.mjs';

/** The packages of frameworks are compiled against the declarations of the widget. */
const baseNames = ['client', 'widget'];
const frameworkNames = ['react', 'vue', 'svelte'];
export const packageNames = [...baseNames, ...frameworkNames];

const scope = '@platform-webchat/';
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Where a workflow of GitHub runs: npm accepts provenance only for packages that name this repository. */
const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: project } = process.env;
const ownRepository = host && project && { type: 'git', url: `git+${host}/${project}.git` };

/** Returns the manifest to publish: with the fields that all packages take from that of the repository. */
function stamp(manifest, { version, license, engines, repository = ownRepository }) {
  const { name, description, dependencies = {}, ...rest } = manifest;
  const stamped = {
    name,
    version,
    description,
    license,
    ...(repository && { repository }),
    engines,
    ...rest,
  };
  const exact = Object.entries(dependencies).map(([to, range]) => [
    to,
    to.startsWith(scope) ? version : range,
  ]);
  return exact.length > 0 ? { ...stamped, dependencies: Object.fromEntries(exact) } : stamped;
}

/** The files for a script tag: without those that only our server reads, and without older versions. */
const isForPages = (name) => /\.js$|^fonts$|^integrity\.json$/.test(name);

export async function buildPackages() {
  rmSync('dist/packages', { recursive: true, force: true });
  // Loaded only here, because tests that need the names of the packages do not need Vite.
  const { buildBundledWidget, buildRenderedLauncher } = await import('./vite.mjs');
  // The package of the widget also has the whole widget in one module, which no server has.
  await Promise.all([buildBundledWidget(), ...baseNames.map(compilePackage)]);
  await Promise.all([buildRenderedLauncher(), ...frameworkNames.map(compilePackage)]);
  const root = read('package.json');
  for (const name of packageNames) {
    const from = join('src/packages', name);
    const to = join('dist/packages', name);
    writeFileSync(
      join(to, 'package.json'),
      `${JSON.stringify(stamp(read(join(from, 'package.json')), root), null, 2)}\n`,
    );
    cpSync(join(from, 'README.md'), join(to, 'README.md'));
    cpSync('LICENSE', join(to, 'LICENSE'));
    // Components of Svelte are published as sources.
    for (const file of readdirSync(from).filter((one) => /\.svelte(\.d\.ts)?$/.test(one))) {
      cpSync(join(from, file), join(to, 'lib/packages', name, file));
    }
  }
  for (const name of readdirSync('dist/webchat').filter(isForPages)) {
    cpSync(join('dist/webchat', name), join('dist/packages/widget/dist', name), {
      recursive: true,
      filter: (file) => !/\.(br|gz)$/.test(file),
    });
  }
  cpSync('src/packages/widget/custom-elements.json', 'dist/packages/widget/custom-elements.json');
}

/** Packs the built packages into a folder, as `client.tgz`, `widget.tgz` and so on. Equal packages make equal bytes. */
export async function packPackages(folder) {
  mkdirSync(folder, { recursive: true });
  const folders = packageNames.map((name) => `./${join('dist/packages', name)}`);
  const { stdout } = await promisify(execFile)('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    ...folders,
  ]);
  for (const { name, filename } of JSON.parse(stdout))
    renameSync(join(folder, filename), join(folder, `${name.slice(scope.length)}.tgz`));
}

const compilePackage = (name) => compile('-p', join('src/packages', name));
