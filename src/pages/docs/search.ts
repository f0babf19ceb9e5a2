// The search: a dialog with the sections that contain the words. The list of sections is fetched when the dialog opens for the first
// time, and the index is made in the browser. Nothing leaves the page.
import MiniSearch from 'minisearch';

/** A page as scripts/docs/site.mjs writes it: address, title, reader, and its sections (id, heading, text). */
type Page = [
  address: string,
  title: string,
  reader: string,
  sections: [id: string, heading: string, text: string][],
];

interface Section {
  id: number;
  address: string;
  title: string;
  reader: string;
  heading: string;
  text: string;
}

const maxResults = 20;
/** Characters of an excerpt, and those of it before the first word that was found. */
const excerptLength = 130;
const excerptLead = 40;

/** Pages of history and of reasons: what other pages say about the same topic goes before them. */
const lowRanked = /^(?:CHANGELOG|decisions\/|reference\/specification)/;
/** Most readers use the product; the code is the topic of the pages for contributors. */
const weightOf = ({ address, reader }: Pick<Section, 'address' | 'reader'>) =>
  lowRanked.test(address) ? 0.3 : reader === 'Contributors' ? 0.2 : 1;

/** Words without a topic. They are in each section, so they find nothing. */
const emptyWords = new Set(
  'a an and are as at be but by can do does for from how i if in into is it its my of on or our that the their them there they this to was we what when where which with you your'.split(
    ' ',
  ),
);

/** The singular of an English word, roughly: both forms of a regular noun become the same. */
const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=[^s]{2})s$/, '');

const root = document.documentElement.dataset.root ?? '';
let index: Promise<MiniSearch<Section>> | undefined;
let dialog: HTMLDialogElement | undefined;

export function open(): void {
  dialog ??= createDialog();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input')?.select();
}

async function loadIndex(): Promise<MiniSearch<Section>> {
  const response = await fetch(new URL(`${root}${document.documentElement.dataset.index}`, location.href));
  if (!response.ok) throw new Error(`The list of pages answered ${response.status}.`);
  const search = new MiniSearch<Section>({
    fields: ['title', 'heading', 'text'],
    storeFields: ['address', 'title', 'reader', 'heading', 'text'],
    // `createMockServer` is found by `mock server`, too.
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => {
        const parts = word.split(/[-_]|(?<=[a-z])(?=[A-Z])/);
        return parts.length > 1 ? [word, ...parts] : [word];
      }),
    processTerm: (term) => {
      const word = term.toLowerCase();
      return emptyWords.has(word) ? null : singular(word);
    },
    searchOptions: {
      boost: { title: 4, heading: 3 },
      boostDocument: (_, __, stored) => weightOf(stored as unknown as Section),
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  let id = 0;
  const sections = ((await response.json()) as Page[]).flatMap(([address, title, reader, parts]) =>
    parts.map(([fragment, heading, text]) => ({
      id: id++,
      address: fragment ? `${address}#${fragment}` : address,
      title,
      reader,
      heading,
      text,
    })),
  );
  // In parts: the dialog stays usable on a slow phone.
  await search.addAllAsync(sections, { chunkSize: 50 });
  return search;
}

function createDialog(): HTMLDialogElement {
  const created = make('dialog', { class: 'search', 'aria-label': 'Search the documentation' });
  const input = make('input', {
    // Not `search`: Escape would only empty it.
    type: 'text',
    inputmode: 'search',
    placeholder: 'Search the documentation',
    'aria-label': 'Search the documentation',
    role: 'combobox',
    'aria-controls': 'search-results',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
  const close = make('button', { type: 'button', class: 'quiet' }, 'Close');
  const list = make('ul', {
    id: 'search-results',
    role: 'listbox',
    'aria-label': 'Sections that were found',
  });
  const status = make('p', { role: 'status' });
  const row = make('div', { class: 'row' });
  row.append(input, close);
  created.append(row, status, list);
  document.body.append(created);

  let active = -1;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('a')];
  const activate = (next: number) => {
    const all = options();
    active = all.length === 0 ? -1 : (next + all.length) % all.length;
    all.forEach((option, position) => {
      option.setAttribute('aria-selected', String(position === active));
    });
    const chosen = all[active];
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
    else input.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  };
  const follow = (link: HTMLAnchorElement | undefined) => {
    if (!link) return;
    created.close();
    location.href = link.href;
  };

  const update = async () => {
    const words = input.value.trim();
    if (words === '') {
      list.replaceChildren();
      status.textContent = '';
      input.setAttribute('aria-expanded', 'false');
      return;
    }
    status.textContent = index ? status.textContent : 'Loading …';
    index ??= loadIndex();
    try {
      const search = await index;
      // The reader has typed on.
      if (words !== input.value.trim()) return;
      let results = search.search(words);
      if (results.length === 0) results = search.search(words, { combineWith: 'OR' });
      const shown = results.slice(0, maxResults);
      list.replaceChildren(
        ...shown.map((result, position) => option(result as unknown as Section, result.terms, position)),
      );
      status.textContent =
        shown.length === 0
          ? `Nothing contains “${words}”.`
          : `${shown.length}${results.length > maxResults ? ' best' : ''} sections`;
      input.setAttribute('aria-expanded', String(shown.length > 0));
      activate(0);
    } catch {
      index = undefined;
      status.textContent = 'The search could not be loaded. Check your connection, and type again.';
    }
  };

  input.addEventListener('input', () => void update());
  input.addEventListener('focus', () => {
    index ??= loadIndex();
    index.catch(() => {
      index = undefined;
    });
  });
  input.addEventListener('keydown', (event) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      activate(active + step);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      follow(options()[active]);
    }
  });
  list.addEventListener('click', (event) => {
    // To a heading of this page: the dialog must not stay.
    if (!event.metaKey && !event.ctrlKey && (event.target as HTMLElement).closest('a')) created.close();
  });
  close.addEventListener('click', () => created.close());
  // A press beside the box: the dialog itself is the target only there.
  created.addEventListener('click', (event) => {
    if (event.target === created) created.close();
  });
  return created;
}

function option(
  { address, title, reader, heading, text }: Section,
  terms: string[],
  position: number,
): HTMLElement {
  // A link with the role of an option: a press with a modifier opens another tab.
  const link = make('a', {
    role: 'option',
    id: `search-${position}`,
    'aria-selected': 'false',
    href: new URL(root + address, location.href).href,
    tabindex: '-1',
  });
  const name = make('span', { class: 'name' }, heading ? `${title} › ` : title);
  if (heading) name.append(make('b', {}, heading));
  link.append(make('span', { class: 'reader' }, reader), name, excerpt(text, terms));
  return link;
}

/** The part of the text around the first word that was found, with the words marked. */
function excerpt(text: string, terms: string[]): HTMLElement {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const found = new RegExp(`(${words.join('|')})`, 'giu');
  const at = Math.max(0, text.search(found) - excerptLead);
  const begin = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const part = `${begin > 0 ? '… ' : ''}${text.slice(begin, begin + excerptLength)}`;
  const line = make('span', { class: 'excerpt' });
  const pieces = part.split(found).map((piece, position) => (position % 2 ? make('mark', {}, piece) : piece));
  line.append(...pieces);
  return line;
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  text = '',
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const name of Object.keys(attributes)) element.setAttribute(name, attributes[name] ?? '');
  element.textContent = text;
  return element;
}
