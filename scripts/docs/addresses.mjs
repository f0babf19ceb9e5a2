// The addresses of the documentation site: where the page of a Markdown file is, and where a link of it leads.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { servedFiles } from '../docs-pages.mjs';

/** The file of a page below the root of the site: `docs/guides/bots.md` is `guides/bots.html`. */
export const pageOf = (file) => file.replace(/^docs\//, '').replace(/\.md$/, '.html');

/** The prefix that leads from a page to the root of the site: '' or '../../'. */
export const rootOf = (page) => '../'.repeat(page.split('/').length - 1);

/** Files of `docs` that are not pages, such as pictures and configurations: the site has copies. */
export const isAsset = (file) => file.startsWith('docs/') && !file.endsWith('.md');

/**
 * Returns the address of a link, relative to the page of `file`. Undefined for a file that the site does not have: of the
 * sources, unless the address of their repository is known.
 */
export function addressOfLink(file, target, repository) {
  if (/^(?:https?:|mailto:|#)/.test(target)) return target;
  const [path = '', fragment] = target.split('#');
  const linked = normalize(join(dirname(file), path)).replace(/\/$/, '');
  const hash = fragment ? `#${fragment}` : '';
  const from = dirname(pageOf(file));
  if (servedFiles.includes(linked)) return relative(from, pageOf(linked)) + hash;
  if (existsSync(linked) && statSync(linked).isFile() && isAsset(linked))
    return relative(from, linked.slice('docs/'.length));
  return repository && existsSync(linked) ? `${repository}/${linked}${hash}` : undefined;
}
