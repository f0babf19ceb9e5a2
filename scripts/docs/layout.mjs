// The HTML around the content of a page: head, header, sidebar, table of contents, neighbours. No inline script and no inline style,
// so the strictest content security policy allows it.
import { dirname, relative } from 'node:path';
import { docsPages, readers } from '../docs-pages.mjs';
import { pageOf, rootOf } from './addresses.mjs';
import { escapeHtml } from './markdown.mjs';

const icons = {
  search: '<path d="m21 21-4.3-4.3"/><circle cx="11" cy="11" r="7"/>',
  menu: '<path d="M4 6h16M4 12h16M4 18h16"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2v2m0 16v2M4.9 4.9l1.4 1.4m11.4 11.4 1.4 1.4M2 12h2m16 0h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4"/>',
  moon: '<path d="M20.5 14.5A8.5 8.5 0 0 1 9.5 3.5a8.5 8.5 0 1 0 11 11z"/>',
};
const icon = (name, extra = '') =>
  `<svg class="icon${extra}" viewBox="0 0 24 24" aria-hidden="true">${icons[name]}</svg>`;

/** The pages of the sidebar in their order: the neighbours of a page are beside it in this list. */
const order = Object.values(readers).flatMap((sections) =>
  sections.flatMap((section) =>
    Object.entries(docsPages[section]).map(([file, [title]]) => ({ file, title })),
  ),
);

/** The page of the sidebar that leads to a section which has no list there. */
const listOf = { Decisions: 'docs/decisions/README.md' };

/** The section of a page, and its reader. */
export function placeOf(file) {
  const section = Object.keys(docsPages).find((name) => file in docsPages[name]);
  const shown = listOf[section] ? placeOf(listOf[section]).section : section;
  const reader = Object.keys(readers).find((name) => readers[name].includes(shown));
  return { section, reader, list: listOf[section] };
}

function sidebar(page, file) {
  const from = dirname(page);
  const place = file ? placeOf(file) : {};
  const link = ([target, [title]]) => {
    const isAbove = target === place.list && ' aria-current="true"';
    const current = target === file ? ' aria-current="page"' : isAbove || '';
    return `<li><a href="${relative(from, pageOf(target))}"${current}>${escapeHtml(title)}</a></li>`;
  };
  const groups = Object.entries(readers).map(([reader, sections]) => {
    const lists = sections.map((section) => {
      const name = section === reader ? '' : `<p class="section">${escapeHtml(section)}</p>`;
      return `${name}<ul>${Object.entries(docsPages[section]).map(link).join('')}</ul>`;
    });
    return `<details${reader === place.reader ? ' open' : ''}><summary>${escapeHtml(reader)}</summary>${lists.join('')}</details>`;
  });
  return `<nav class="sidebar" id="menu" aria-label="Documentation">${groups.join('\n')}</nav>`;
}

/** The headings of a page: beside the text, and on narrow screens folded below the title. */
function contents(headings) {
  const shown = headings.filter(({ depth }) => depth < 4);
  if (shown.length < 2) return { beside: '<div class="toc"></div>', folded: '' };
  const items = shown.map(
    ({ id, text, depth }) =>
      `<li${depth === 3 ? ' class="deep"' : ''}><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  const list = `<ul>${items.join('')}</ul>`;
  return {
    beside: `<nav class="toc" aria-labelledby="toc-title"><h2 id="toc-title">On this page</h2>${list}</nav>`,
    folded: `<nav class="toc-folded" aria-label="On this page"><details><summary>On this page</summary>${list}</details></nav>`,
  };
}

function neighbours(page, file) {
  const at = order.findIndex((each) => each.file === file);
  if (at < 0) return '';
  const link = (kind, label, entry) =>
    entry
      ? `<a class="${kind}" href="${relative(dirname(page), pageOf(entry.file))}"><span>${label}</span>${escapeHtml(entry.title)}</a>`
      : '';
  const links = link('previous', 'Previous', order[at - 1]) + link('next', 'Next', order[at + 1]);
  return `<nav class="neighbours" aria-label="Neighbouring pages">${links}</nav>`;
}

/** Where a page is: its reader, and the section if it has another name. */
function trail(page, file) {
  if (!file) return '';
  const { section, reader, list } = placeOf(file);
  const name = list ? `<a href="${relative(dirname(page), pageOf(list))}">${section}</a>` : section;
  return `<span>${escapeHtml(reader)}${section === reader ? '' : ` › ${name}`}</span>`;
}

/**
 * @param options.page the file of the page below the root of the site
 * @param options.file its Markdown file; undefined for pages of the site itself
 * @param options.kind a class of the body; `plain` has no sidebar on wide screens
 * @param options.root the way to the root of the site, if it is not that of the page: the page of errors has any address
 */
export function layout({
  page,
  file,
  title,
  description,
  content,
  headings = [],
  kind = '',
  assets,
  version,
  root = rootOf(page),
}) {
  const markdown = file && `${root}${file.replace(/^docs\//, '')}`;
  const isPlain = kind.includes('plain');
  const toc = isPlain ? { beside: '', folded: '' } : contents(headings);
  const up = isPlain ? `<a href="README.html">Archive of decisions</a>` : trail(page, file);
  const main = file
    ? `<p class="above">${up}<a href="${markdown}" type="text/markdown">View as Markdown</a></p>\n${content.replace('</h1>\n', (end) => end + toc.folded)}\n${neighbours(page, file)}`
    : content;
  return `<!doctype html>
<html lang="en" data-root="${root}" data-index="${assets.index}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
${markdown ? `<link rel="alternate" type="text/markdown" href="${markdown}">\n` : ''}<script src="${root}${assets.theme}"></script>
<link rel="stylesheet" href="${root}${assets.style}">
<script type="module" src="${root}${assets.script}"></script>
</head>
<body${kind ? ` class="${kind}"` : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar" aria-label="Site">
<a class="tool menu-button" href="#menu" data-menu aria-label="Menu">${icon('menu')}</a>
<a class="brand" href="${root}index.html"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z"/></svg>Platform Webchat</a>
<a class="version" href="${root}guides/self-hosting.html#documentation" aria-label="Version ${version}: about versions">${version}</a>
<button type="button" class="tool search-button" data-search hidden aria-label="Search">${icon('search')}<span>Search</span><kbd>/</kbd></button>
<a class="link" href="${root}guides/start.html">Start</a>
<a class="link" href="${root}reference/operations.html">API reference</a>
<button type="button" class="tool" data-theme-button hidden aria-label="Dark mode" aria-pressed="false">${icon('sun', ' sun')}${icon('moon', ' moon')}</button>
</header>
<div class="frame">
${sidebar(page, file)}
<main id="content" tabindex="-1">
${main}
</main>
${toc.beside}
</div>
<footer class="foot" aria-label="Site"><a href="${root}reference/operations.html">API reference</a><a href="${root}../llms.txt">For language models</a><a href="${root}CHANGELOG.html">Changelog</a><a href="${root}SECURITY.html">Report a security problem</a><a href="${root}guides/self-hosting.html#documentation">Version ${version}</a><span>MIT license</span></footer>
</body>
</html>
`;
}
