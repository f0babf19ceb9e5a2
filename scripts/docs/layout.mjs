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

function sidebar(page, file) {
  const from = dirname(page);
  const link = ([target, [title]]) => {
    const current = target === file ? ' aria-current="page"' : '';
    return `<li><a href="${relative(from, pageOf(target))}"${current}>${escapeHtml(title)}</a></li>`;
  };
  const groups = Object.entries(readers).map(([reader, sections]) => {
    const has = sections.some((section) => file in docsPages[section]);
    const lists = sections.map((section) => {
      const name = section === reader ? '' : `<p class="section">${escapeHtml(section)}</p>`;
      return `${name}<ul>${Object.entries(docsPages[section]).map(link).join('')}</ul>`;
    });
    return `<details${has ? ' open' : ''}><summary>${escapeHtml(reader)}</summary>${lists.join('')}</details>`;
  });
  return `<nav class="sidebar" id="menu" aria-label="Documentation">${groups.join('\n')}</nav>`;
}

function contents(headings) {
  const shown = headings.filter(({ depth }) => depth < 4);
  if (shown.length < 2) return '<div class="toc"></div>';
  const items = shown.map(
    ({ id, text, depth }) =>
      `<li${depth === 3 ? ' class="deep"' : ''}><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="toc" aria-labelledby="toc-title"><h2 id="toc-title">On this page</h2><ul>${items.join('')}</ul></nav>`;
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
  const up = isPlain && file ? `<a href="README.html">Archive of decisions</a>` : '';
  const main = file
    ? `<p class="above">${up}<a href="${markdown}" type="text/markdown">This page as Markdown</a></p>\n${content}\n${neighbours(page, file)}`
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
<a class="version" href="${root}CHANGELOG.html" aria-label="Version ${version}: changelog">${version}</a>
<button type="button" class="tool search-button" data-search hidden aria-label="Search">${icon('search')}<span>Search</span><kbd>/</kbd></button>
<a class="link" href="${root}README.html">Start</a>
<a class="link" href="${root}../v1/docs/">API reference</a>
<button type="button" class="tool" data-theme-button hidden aria-label="Dark mode" aria-pressed="false">${icon('sun', ' sun')}${icon('moon', ' moon')}</button>
</header>
<div class="frame">
${sidebar(page, file)}
<main id="content" tabindex="-1">
${main}
</main>
${isPlain ? '' : contents(headings)}
</div>
<footer class="foot" aria-label="Site"><a href="${root}../v1/docs/">API reference</a><a href="${root}../llms.txt">For language models</a><a href="${root}CHANGELOG.html">Changelog</a><a href="${root}SECURITY.html">Report a security problem</a><span>Version ${version}, MIT license</span></footer>
</body>
</html>
`;
}
