// Queries the npm registry for known vulnerabilities of the packages in the server and the widget. Fails for a
// vulnerability of high or critical severity. A registry that does not support audits is reported, and fails only with
// AUDIT=required.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

// Test tools are not delivered to visitors or operators. The widget is bundled from these development dependencies.
const bundled = ['preact', 'marked', 'dompurify', '@speed-highlight/core', 'temml'];

const { stdout } = await new Promise((resolve) =>
  execFile('npm', ['audit', '--json'], { maxBuffer: 50_000_000 }, (_, stdout) => resolve({ stdout })),
);
const answer = JSON.parse(stdout || '{}');

if (!answer.vulnerabilities) {
  console.log(`npm audit: NOT DONE. The registry answered: ${answer.message ?? 'nothing'}`);
  process.exit(process.env.AUDIT === 'required' ? 1 : 0);
}

const production = new Set(await productionPackages());
const found = Object.values(answer.vulnerabilities).filter(
  ({ name, severity }) => ['high', 'critical'].includes(severity) && production.has(name),
);
for (const { name, severity, range } of found) console.log(`npm audit: ${name} ${range}: ${severity}`);
if (found.length > 0) process.exit(1);
console.log(`npm audit: no known high or critical vulnerability in ${production.size} packages.`);

/**
 * Returns the names of the packages that an operator installs or a visitor downloads, with all of their dependencies.
 */
async function productionPackages() {
  const { packages } = JSON.parse(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const names = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  return [...names, ...bundled];
}
