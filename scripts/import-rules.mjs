// Who may import whom, for every folder. `node scripts/layers.mjs` writes the linter's rules for this table into
// biome.json. src/boundaries.test.ts checks that they are current and that every import follows the table.
import { notes, serverRules } from './server-layers.mjs';

/**
 * A row: names of folders, files and packages. `folder/*` stands for the files of a folder without those of its folders,
 * `package/**` also for what is in the package, `node:` for all modules of Node, and `*` for these and all packages. `!`
 * takes out what a name before it allows.
 * @typedef {object} Rule
 * @property {string[]} [imports] What may be imported.
 * @property {string[]} [types] What may be imported as a type only.
 * @property {string[]} [loads] What may be loaded later, by `import()`.
 * @property {string[]} [computes] The files that load bundles whose addresses are computed.
 * @property {true} [withTests] Whether the row is also for tests, which may import everything otherwise.
 */

/** Folders outside of `src`. All other names of this table are below `src`. */
export const outside = ['bench', 'demo', 'e2e', 'scripts', 'simulation'];

/** The types that the launcher and its bundles share. */
const interfaces = ['widget/launcher-chat-interface.ts', 'widget/page-features.ts'];

/** Why a file is taken out of a row. */
export const reasons = {
  [notes]: 'Notes are for the team: only src/server/inbox reads them (decision 107).',
};

/** Common to all folders of the window that load later, besides what is listed for each. */
const bundle = (name, { imports = [], types = [], loads = [] } = {}) => ({
  imports: [
    `widget/${name}`,
    'protocol',
    'preact',
    'preact/hooks',
    '@preact/signals',
    icon,
    'widget/i18n/current.ts',
    'widget/i18n/en',
    ...imports,
  ],
  types: [...interfaces, 'widget/chat', 'widget/i18n', ...types],
  loads,
});

const icon = 'widget/icon.tsx';
const dialogKeys = 'widget/dialog-keys.ts';
const focus = 'widget/chat/components/focus.ts';
const lazyBundle = 'widget/chat/lazy-bundle.ts';
const drawable = 'widget/chat/payloads/drawable.ts';
const retry = 'widget/chat/session/retry.ts';
const times = 'widget/chat/components/times.ts';
const chatOperations = 'client/operations/chat.ts';

/** What a server needs of the launcher: without a DOM. */
const renderedLauncher = [
  'widget/launcher/theme.ts',
  'widget/launcher/icon-path.ts',
  'widget/launcher/launcher.css',
  'widget/i18n/en/launcher.ts',
];

/** What the inbox uses of the widget. */
const widgetOfInbox = [
  'chat/components/scroll.ts',
  'chat/payloads/answers.ts',
  'chat/payloads/drawable.ts',
  'media/attachments/file-payload.ts',
  'media/payloads/find-links.ts',
  'extras/notification-sound.ts',
  'markdown/main.ts',
].map((name) => `widget/${name}`);

/**
 * Folder or file -> what it may import. The longest name that fits a file decides.
 * @type {Record<string, Rule>}
 */
export const rules = {
  protocol: {
    imports: ['protocol', '!protocol/schemas', '!protocol/operations'],
    types: ['protocol/schemas', 'protocol/operations', 'valibot'],
  },
  'protocol/schemas': { imports: ['protocol', 'valibot'] },
  'protocol/operations': { imports: ['protocol', 'valibot'] },
  client: { imports: ['client', 'protocol'] },
  'widget/launcher-chat-interface.ts': {
    types: ['protocol', 'widget/i18n/catalogue.ts', 'widget/page-features.ts'],
  },
  'widget/page-features.ts': { types: ['protocol', 'preact'] },
  'widget/global.ts': { types: ['protocol'] },
  'widget/css.d.ts': {},
  'widget/dialog-keys.ts': { imports: ['preact/hooks'] },
  'widget/icon.tsx': {},
  'widget/launcher': {
    imports: ['widget/launcher', 'protocol', 'widget/i18n/en/launcher.ts'],
    types: interfaces,
    computes: ['widget/launcher/load.ts'],
  },
  'widget/i18n': {
    imports: ['widget/i18n', 'protocol/error.ts', 'protocol/locale/choose-locale.ts'],
    types: ['protocol', ...interfaces],
  },
  // The strings as they are now, for the chat and its lazy bundles.
  'widget/i18n/current.ts': {
    imports: ['widget/i18n/catalogue.ts', 'widget/i18n/interpolate.ts', '@preact/signals'],
  },
  'widget/i18n/interpolate.ts': { types: ['widget/i18n/catalogue.ts'] },
  // English is part of the bundles; a catalogue is data.
  'widget/i18n/en': { types: ['widget/i18n/catalogue.ts'] },
  'widget/i18n/catalogues': { types: ['widget/i18n/catalogue.ts'] },
  // Every table of the protocol, nothing of the chat: it sends the same requests by itself.
  'widget/diagnostics': {
    imports: ['widget/diagnostics', 'protocol', chatOperations],
    types: interfaces,
    computes: ['widget/diagnostics/bundle-checks.ts'],
  },
  // Every name of the protocol, nothing of the chat.
  'widget/page/unknown-names': {
    imports: [
      'widget/page/unknown-names',
      'protocol/error.ts',
      'protocol/page-api/config-layers.ts',
      'protocol/page-api/configuration-problems.ts',
      'protocol/page-api/field-kinds.ts',
      'protocol/page-api/page-names.ts',
    ],
    types: ['protocol', ...interfaces],
  },
  // Plain DOM around the launcher, without the chat.
  'widget/page/host-page': {
    imports: [
      'widget/page/host-page',
      'widget/i18n/en/host-page.ts',
      'protocol/error.ts',
      'protocol/interrupts/json-schema.ts',
      'protocol/payloads.ts',
      'protocol/page-api/host-page-fields.ts',
    ],
    types: ['protocol', ...interfaces],
  },
  'widget/chat': {
    imports: ['widget/chat', 'client', 'protocol', icon, 'preact', '@preact/signals'].concat(
      'widget/i18n/current.ts',
      'widget/i18n/en/chat.ts',
    ),
    types: [...interfaces, 'widget/i18n/catalogue.ts', 'widget/markdown/types.ts', 'widget/page'],
    loads: [
      'widget/markdown/main.ts',
      'widget/extras/main.tsx',
      'widget/panels/start.ts',
      'widget/answers/main.tsx',
      'widget/people/main.tsx',
      'widget/page/main.ts',
    ],
  },
  // Unicode tables from the packages whose files the build copies.
  'widget/chat/fonts.ts': { imports: ['@fontsource-variable/**'] },
  // The folders of the window that load later: types of the chat, and the few of its files that are listed. At run time they
  // also share Preact, the icon, the strings and the protocol.
  'widget/extras': bundle('extras', {
    imports: [dialogKeys, chatOperations, 'widget/media', 'widget/panels/menu'].concat(
      'widget/chat/payloads/descriptors.ts',
      'protocol/locale/unspaced-scripts.ts',
    ),
  }),
  'widget/media': bundle('media', {
    imports: [dialogKeys, 'client/chat/upload.ts', chatOperations, drawable, 'widget/chat/home.ts'],
    loads: ['widget/media/emoji/main.tsx', 'widget/media/voice/main.ts'],
  }),
  'widget/panels': bundle('panels', {
    imports: [
      dialogKeys,
      focus,
      lazyBundle,
      retry,
      times,
      'widget/chat/components/Avatar.tsx',
      chatOperations,
      'client/chat/caller.ts',
      'client/core/errors.ts',
    ],
    loads: ['widget/panels/main.ts', 'widget/people/main.tsx'],
  }),
  'widget/people': bundle('people', {
    imports: [focus, lazyBundle, retry, chatOperations],
  }),
  'widget/answers': bundle('answers', {
    imports: [focus, drawable, lazyBundle, retry, 'client/core/json.ts', chatOperations],
    loads: ['widget/answers/interactive.ts'],
  }),
  // The code of the page around the session: its user, its hooks and its tools.
  'widget/page': bundle('page', {
    imports: ['widget/chat', 'client'],
    loads: ['widget/people/main.tsx'],
  }),
  'widget/markdown': {
    imports: ['widget/markdown', 'marked', 'dompurify', 'widget/i18n/en/markdown.ts'].concat(
      'protocol/locale/unspaced-scripts.ts',
    ),
    types: ['protocol', 'widget/i18n'],
  },
  'widget/markdown/highlight.ts': {
    imports: ['@speed-highlight/core/**'],
    types: ['widget/markdown/colors.ts'],
  },
  // Types alone of the bundle that loads it: that bundle would be built with a loop that hostile pages break.
  'widget/markdown/formulas/math.ts': {
    imports: ['temml/**'],
    types: ['widget/markdown/formulas/read-formula.ts'],
  },
  ...serverRules,
  // Pages that the server serves: Vite builds them, so they import from packages and style sheets too.
  pages: { imports: ['pages', 'protocol', 'preact', 'preact/hooks', 'vite'] },
  // The page of the links of mails sends one request.
  'pages/return': { imports: ['pages/return', 'protocol', chatOperations, 'vite'] },
  // The inbox: of the widget it uses what needs neither its window nor its session.
  'pages/inbox': {
    imports: [
      'pages/inbox',
      'client',
      'protocol',
      'preact',
      'preact/hooks',
      '@preact/signals',
      'vite',
    ].concat(widgetOfInbox),
  },
  // Runs in the tests of customers, in browsers and in Node, without a dependency.
  'packages/widget/mock': {
    imports: ['packages/widget/mock', 'protocol', chatOperations],
    types: ['node:'],
    computes: ['packages/widget/mock/listen.ts'],
  },
  // Of the widget only types: a site loads its code from its server.
  'packages/widget': { imports: ['packages/widget', 'protocol/error.ts'], types: ['widget/global.ts'] },
  // Renders the launcher on the site's server, so it has the styles, the picture and the name of the launcher.
  'packages/widget/server.ts': {
    imports: [...renderedLauncher, 'protocol/page-api/config-layers.ts', 'protocol/error.ts'],
    types: ['widget/global.ts'],
  },
  // All of the widget in one module.
  'packages/widget/bundled.ts': {
    imports: ['widget/launcher/page-api/emitter.ts', 'widget/launcher/page-api/page-api.ts'],
  },
  'packages/widget/bundled-load.ts': {
    loads: [
      'chat/main.tsx',
      'i18n/main.ts',
      'page/host-page/main.ts',
      'page/unknown-names/main.ts',
      'diagnostics/main.ts',
    ].map((name) => `widget/${name}`),
  },
  'packages/react': { imports: ['packages/react', '@platform-webchat/widget', 'react', 'react-dom'] },
  'packages/vue': { imports: ['packages/vue', '@platform-webchat/widget', 'vue'] },
  'packages/svelte': {
    imports: ['packages/svelte', '@platform-webchat/widget', 'svelte/reactivity'],
    types: ['svelte', 'svelte/attachments'],
  },
  // Uses the client like any other program; only the commands below import the server, when they are run.
  cli: { imports: ['cli', 'client', 'protocol', 'node:', '@commander-js/extra-typings'] },
  'cli/serve.ts': {
    imports: ['cli/command.ts'],
    types: ['cli/io.ts', '@commander-js/extra-typings'],
    loads: ['server/run.ts'],
  },
  'cli/backup.ts': {
    imports: ['cli/command.ts', 'cli/errors.ts'],
    types: ['cli/io.ts'],
    loads: ['server/backup/index.ts'],
  },
  'cli/move.ts': {
    imports: ['cli/command.ts', 'cli/errors.ts'],
    types: ['cli/io.ts'],
    loads: ['server/backup/index.ts'],
  },
  'cli/agents/try.ts': {
    imports: ['cli/command.ts', 'cli/errors.ts'],
    types: ['cli/io.ts', 'protocol/parts.ts'],
    loads: ['server/run.ts'],
  },
  // Tests with the client of the hosted product.
  contract: { imports: ['contract', 'client', 'protocol', 'server', 'scripts', '*'], withTests: true },
  // As a bot outside of this repository: it knows the types of the bot object, and nothing of the server.
  demo: { imports: ['demo', '*'], types: ['protocol'] },
  bench: {
    imports: [
      'bench',
      'e2e/embedding/byte-limits.ts',
      'e2e/support',
      'scripts',
      'client',
      'protocol',
      'server',
      'widget/i18n',
      '*',
    ].concat('playwright.config.ts'),
    withTests: true,
  },
  // The real parts are bundled (simulation/product/bundle.ts): what it imports of them is types.
  simulation: {
    imports: ['simulation', '*'],
    types: ['client', 'protocol', 'server', 'widget'],
    withTests: true,
  },
  e2e: {
    // The samples of the demo bot are states of the window.
    imports: [
      'demo/bot.ts',
      'e2e',
      'scripts',
      'simulation/invariants.ts',
      'client',
      'protocol',
      'packages/widget',
      'server',
      'widget',
      '*',
    ].concat('playwright.config.ts'),
    withTests: true,
  },
  scripts: { imports: ['scripts', '*'], withTests: true },
  'scripts/vitest': { imports: ['scripts', 'server/storage', '*'], withTests: true },
};

/** The row of a file, or undefined. */
export const ruleFor = (file) =>
  Object.keys(rules)
    .filter((name) => file === name || file.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];

/** True for a name of the table that is a package, and not a folder or file of this repository. */
export const isPackageName = (name) =>
  !/^(?:protocol|client|widget|server|cli|pages|packages|contract|bench|demo|e2e|scripts|simulation)(?:\/|$)/.test(
    name,
  ) && name !== 'playwright.config.ts';

/** True when a name of the table stands for a target. */
function covers(name, target) {
  if (name === '*') return isPackageName(target);
  if (name === 'node:') return target.startsWith(name);
  if (name.endsWith('/**')) return target.startsWith(name.slice(0, -2));
  if (name.endsWith('/*')) return target.slice(0, target.lastIndexOf('/')) === name.slice(0, -2);
  return name === target || (!isPackageName(name) && target.startsWith(`${name}/`));
}

/** True when a list of a row allows a target; a later name decides over an earlier one. */
export function allows(list = [], target) {
  const last = list.findLast((name) => covers(name.replace(/^!/, ''), target));
  return last !== undefined && !last.startsWith('!');
}
