// The table of the documentation: every page with a sentence about it. llms.txt, llms-full.txt, the pages that the server serves
// below /docs/, and the sidebar of the site (scripts/docs/site.mjs) are made from it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Section -> file -> title and sentence. */
export const docsPages = {
  Start: {
    'docs/guides/start.md': [
      'A chat on your site',
      'From a new server to a bot that answers on your pages, in the browser, with pictures.',
    ],
    'README.md': [
      'Overview and quick start',
      'Features, start, the script tag, and all pages of the documentation.',
    ],
  },
  Widget: {
    'docs/guides/theming.md': ['Theming', 'Colors, CSS parts and custom properties.'],
    'docs/guides/languages.md': ['Languages', 'Texts of the chat, languages, and how to add one.'],
    'docs/guides/pre-chat-form.md': [
      'A form before the conversation',
      'Name, e-mail address, topic, consent and fields of the site, before a conversation begins.',
    ],
    'docs/guides/composer.md': ['Composer', 'Emoji, dictation and voice messages, and where the sound goes.'],
    'docs/guides/identify.md': [
      'Identify users',
      'Sign user keys on your backend, so that users keep their conversation.',
    ],
    'docs/guides/privacy.md': [
      'Privacy',
      'Consent, the notice that an AI answers, retention, export and deletion, on one page.',
    ],
    'docs/guides/analytics.md': [
      'Analytics',
      'Count what visitors do without their texts: Google Analytics, Tag Manager, Plausible, Matomo.',
    ],
    'docs/guides/hooks.md': [
      'Hooks',
      'Change or refuse messages before they are sent, and how they are shown.',
    ],
    'docs/guides/blocks.md': ['Blocks', 'Content of answers that code of your page draws.'],
    'docs/guides/page-tools.md': [
      'Tools of the page',
      'Functions of the page that the bot can call, and what the page says of itself.',
    ],
    'docs/guides/mock-server.md': [
      'Test your own pages',
      'Answer the chat of your pages without a server, in browsers and in Node: createMockServer().',
    ],
    'docs/reference/configuration.md': [
      'Configuration',
      'Every field of the widget with its attribute, values and default.',
    ],
    'docs/reference/page-api.md': ['window.platform', 'Every method and event of the chat on a page.'],
    'docs/reference/accessibility.md': ['Accessibility', 'Keyboard, screen readers, and what was tested.'],
    'docs/reference/browsers.md': ['Browsers', 'Supported and tested browsers.'],
    'docs/reference/performance.md': ['Performance', 'Measured bytes, times and memory.'],
  },
  Frameworks: {
    'docs/guides/react.md': ['React', 'The package for React: component, provider, hooks, server rendering.'],
    'docs/guides/vue.md': ['Vue', 'The package for Vue and Nuxt: component and composable.'],
    'docs/guides/svelte.md': ['Svelte', 'The package for Svelte and SvelteKit.'],
    'docs/guides/element.md': [
      'Element, loader and store',
      'The element <platform-webchat>, loadWebchat() and the store, for every other page and framework.',
    ],
  },
  Recipes: {
    'docs/guides/recipes/html.md': ['Plain HTML', 'One script tag in a page without a framework.'],
    'docs/guides/recipes/react.md': ['React with Vite', 'Steps for a React application that Vite builds.'],
    'docs/guides/recipes/next.md': ['Next.js', 'Steps for a Next.js application with the App Router.'],
    'docs/guides/recipes/vue.md': ['Vue with Vite', 'Steps for a Vue application that Vite builds.'],
    'docs/guides/recipes/nuxt.md': ['Nuxt', 'Steps for a Nuxt application.'],
    'docs/guides/recipes/svelte.md': ['Svelte with Vite', 'Steps for a Svelte application that Vite builds.'],
    'docs/guides/recipes/sveltekit.md': ['SvelteKit', 'Steps for a SvelteKit application.'],
    'docs/guides/recipes/angular.md': ['Angular', 'Steps for an Angular application, on the store.'],
    'docs/guides/recipes/tag-managers.md': ['Tag managers', 'A tag for Google Tag Manager and others.'],
    'docs/guides/recipes/wordpress.md': ['WordPress', 'A small plugin that adds the chat to every page.'],
    'docs/guides/recipes/shopify.md': ['Shopify', 'A snippet for the layout of the theme.'],
    'docs/guides/recipes/webview.md': [
      'WebView',
      'The chat in applications for Android and iOS: storage, files and links.',
    ],
    'docs/guides/recipes/consent.md': [
      'Consent banners',
      'Load the chat after consent, and remove it with its record afterwards.',
    ],
    'docs/guides/recipes/some-pages.md': [
      'Only on some pages',
      'Hide the launcher on some paths, also in an application that changes its address without loading.',
    ],
  },
  'Bots and agents': {
    'docs/guides/bots.md': [
      'Bots',
      'Write a bot as an ES module or as a webhook: events, replies, streams, errors.',
    ],
    'docs/reference/messages.md': ['Messages', 'All types of payloads with their fields.'],
    'docs/guides/agents.md': [
      'Agents at an address',
      'Let a language model or an agent answer visitors, by its address.',
    ],
    'docs/guides/knowledge.md': [
      'Answers from your documents',
      'Let an agent answer from files, with sources: what it gets, what visitors see, who can be told what.',
    ],
    'docs/guides/agents-ag-ui.md': [
      'Agents that use AG-UI',
      'What an agent receives and what its events become, with an example without a library.',
    ],
    'docs/guides/agents-openai-responses.md': [
      'Agents that use the Responses API',
      'What the provider receives and what its events become, with an example server.',
    ],
    'docs/guides/agents-ai-sdk.md': [
      'Routes of the AI SDK',
      'What a route receives and what its chunks become, with an example without a model.',
    ],
    'docs/guides/apps.md': [
      'Apps',
      'Documents with scripts that bots send, in a sandbox of their own origin.',
    ],
    'docs/guides/existing-bots.md': [
      'Bots of the hosted product',
      'Run a bot that uses the official client: address, token, what its calls mean here, limits.',
    ],
  },
  APIs: {
    'docs/guides/apis.md': [
      'APIs',
      'The APIs of the server, with a program and command lines that use them.',
    ],
    'docs/reference/operations.md': ['API reference', 'Every operation of every API, with its request.'],
    'docs/guides/client.md': ['Typed client', 'One client for all APIs: lists, errors, retries.'],
    'docs/guides/admin.md': ['Admin API', 'Bots, members, roles, tokens and configuration.'],
    'docs/guides/files.md': ['Files', 'Upload, share and search files.'],
    'docs/guides/tables.md': ['Tables', 'Typed rows, filters, groups, import and export.'],
    'docs/reference/errors.md': ['Errors', 'Every error code and every finding of doctor() with its cure.'],
    'docs/reference/cli.md': ['Command line', 'All commands of npx platform-webchat.'],
  },
  'Support teams': {
    'docs/guides/console.md': [
      'Console',
      'The page on which owners and teams run everything: first steps, bots, team, settings, with pictures.',
    ],
    'docs/guides/inbox.md': [
      'Inbox',
      'The section of the console in which members take conversations, answer visitors and write notes.',
    ],
    'docs/guides/handoff.md': [
      'People take over',
      'Hand a conversation to a person and get it back; another desk; the inbox of the team.',
    ],
    'docs/guides/members.md': ['Members sign in', 'Invitations, passwords, links, sessions and mails.'],
    'docs/guides/answers-by-mail.md': [
      'Answers by mail',
      'Visitors who have gone get answers of people by mail, with a link that opens the conversation.',
    ],
    'docs/guides/answers-by-push.md': [
      'Answers by push',
      'Visitors who have gone see a notification when a person has answered: keys, the service worker, subscriptions.',
    ],
  },
  Operation: {
    'docs/guides/self-hosting.md': [
      'Self-hosting',
      'Start, configure, back up and secure the server; pinned versions.',
    ],
    'docs/guides/scaling.md': [
      'Scaling',
      'PostgreSQL instead of SQLite, several processes, failures, alerts, moving the data there and back.',
    ],
    'docs/reference/settings.md': ['Settings', 'Every environment variable and flag of the server.'],
    'docs/concepts/security.md': ['Security', 'Content security policy, integrity, threats and protection.'],
    'docs/SECURITY.md': ['Report security problems', 'Where and how to report a vulnerability.'],
    'CHANGELOG.md': ['Changelog', 'What changed in each version.'],
  },
  Contributing: {
    'CONTRIBUTING.md': ['Contributing', 'Conventions, and recipes for common changes.'],
    'ARCHITECTURE.md': ['Architecture', 'Folders, import directions and the path of a message.'],
    'docs/design.md': ['Design', 'Space, type, colors, states and motion of all surfaces.'],
    'docs/guides/testing.md': ['Testing', 'The tests of this repository: commands, kinds, rules.'],
    'docs/concepts/widget.md': ['Widget', 'Bundles, session, store, Markdown, diagnostics.'],
    'docs/concepts/server.md': ['Server', 'How a request is handled, storage, bots, files and tables.'],
    'docs/concepts/delivery.md': ['Message delivery', 'Guarantees of delivery, offline, several tabs.'],
    'docs/glossary.md': ['Glossary', 'The terms of this project.'],
    'docs/reference/dependencies.md': ['Dependencies', 'Every dependency and its reason.'],
    'docs/reference/specification.md': [
      'Specification',
      'Every statement of the specification, where it is implemented, and the test that shows it.',
    ],
    'docs/decisions/README.md': ['Decisions', 'The topics of the decisions, and how a decision is recorded.'],
  },
  Decisions: {
    'docs/decisions/byte-budgets.md': [
      'Decisions: byte budgets',
      'Limits of the launcher, the window and the other bundles, and savings that were tried.',
    ],
    'docs/decisions/page-api.md': [
      'Decisions: API of the page',
      'The methods of window.platform, hooks, blocks, tools, and pages that change what the chat relies on.',
    ],
    'docs/decisions/window.md': [
      'Decisions: window',
      'Rendering from signals, drawing in tasks, sizes, views above the conversation.',
    ],
    'docs/decisions/session-in-the-browser.md': [
      'Decisions: session in the browser',
      'User keys, the record, tabs, merging at login, logout.',
    ],
    'docs/decisions/messages-in-the-browser.md': [
      'Decisions: messages in the browser',
      'Markdown, formulas, parts, questions, apps, images, emoji, voice.',
    ],
    'docs/decisions/accessibility-and-languages.md': [
      'Decisions: accessibility and languages',
      'Keyboard, screen readers, contrast, texts, the locale of the visitor.',
    ],
    'docs/decisions/packages.md': [
      'Decisions: packages',
      'Packages for npm, one store for all frameworks, kits for tests.',
    ],
    'docs/decisions/dependencies.md': [
      'Decisions: choice of dependencies',
      'Libraries in use, and own code where a library exists.',
    ],
    'docs/decisions/tests.md': [
      'Decisions: tests',
      'Two commands, the simulation, fonts and time zone, clients of the hosted product, clusters.',
    ],
    'docs/decisions/build-and-release.md': [
      'Decisions: build and release',
      'Builds, the server bundle, static files, generated files, documentation.',
    ],
    'docs/decisions/storage.md': [
      'Decisions: storage',
      'SQL, columns, migrations, locks and background work, with rejected alternatives.',
    ],
    'docs/decisions/postgresql.md': [
      'Decisions: PostgreSQL',
      'Groups of writes, unavailable databases, poolers, contention, move and backup.',
    ],
    'docs/decisions/delivery.md': [
      'Decisions: message delivery',
      'The write path of a message, idempotency, streams, superseded messages.',
    ],
    'docs/decisions/cluster.md': [
      'Decisions: several processes',
      'Signals, leases, claims of bot events and shared limits.',
    ],
    'docs/decisions/bots.md': [
      'Decisions: bots',
      'Threads, attempts, errors, webhooks, questions to visitors, the Runtime API.',
    ],
    'docs/decisions/agents.md': [
      'Decisions: agents',
      'Runs, protocols, tools and knowledge of agents at an address.',
    ],
    'docs/decisions/files-and-knowledge.md': [
      'Decisions: files and knowledge',
      'Uploads, the object store, indexing, search by words and by meaning.',
    ],
    'docs/decisions/tables.md': [
      'Decisions: tables',
      'Schemas and filters of callers, computed columns, vectors of rows.',
    ],
    'docs/decisions/console.md': [
      'Decisions: console',
      'The page of owners and teams: its frame, forms, texts and bytes.',
    ],
    'docs/decisions/inbox.md': [
      'Decisions: inbox',
      'Handling by people, notes, assignment, search and reports.',
    ],
    'docs/decisions/notifications.md': [
      'Decisions: notifications',
      'Mails and pushes about answers, links to one conversation, transcripts.',
    ],
    'docs/decisions/security.md': [
      'Decisions: security of the server',
      'User keys, secrets, participants, limits and outgoing requests.',
    ],
    'docs/decisions/members.md': [
      'Decisions: members',
      'Operators, the audit trail, sessions, passwords and sign-in services.',
    ],
    'docs/decisions/privacy.md': ['Decisions: privacy', 'Deletion, retention and the archive of a visitor.'],
    'docs/decisions/http-and-apis.md': [
      'Decisions: HTTP and APIs',
      'Declarations of operations, shapes, parameters, static files, the command line.',
    ],
  },
};

/** Reader -> the sections of the sidebar. Pages of other sections are reached by links and by the search. */
export const readers = {
  'Site owners': ['Start', 'Widget', 'Frameworks', 'Recipes'],
  'Bot authors': ['Bots and agents', 'APIs'],
  'Support teams': ['Support teams'],
  Operators: ['Operation'],
  Contributors: ['Contributing'],
};

/** The sections that llms.txt calls optional: a language model can do without them. */
const optional = ['Contributing', 'Decisions'];

const archive = 'docs/decisions/archive';
/** The archive of decisions: served, but in no list. */
const archived = readdirSync(new URL(`../${archive}`, import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `${archive}/${name}`);

const listed = Object.values(docsPages).flatMap((section) => Object.keys(section));
/** Every page that is served. */
export const servedFiles = [...listed, ...archived];

/** The address of a page on the server. */
export const addressOf = (file) => `/docs/${file.replace(/^docs\//, '')}`;

const introduction = `# Platform Webchat

> An embeddable web chat (one script tag, \`window.platform\`) and its self-hosted server with a Chat API, bots, files and tables.
`;

/** The file llms.txt: a list of the pages by section (https://llmstxt.org). */
export function llmsText() {
  const usual = Object.entries(docsPages).filter(([name]) => !optional.includes(name));
  const rest = Object.assign({}, ...optional.map((name) => docsPages[name]));
  const sections = [...usual, ['Optional', rest]].map(([name, pages]) => {
    const lines = Object.entries(pages).map(
      ([file, [title, sentence]]) => `- [${title}](${addressOf(file)}): ${sentence}`,
    );
    return `\n## ${name}\n\n${lines.join('\n')}\n`;
  });
  return introduction + sections.join('');
}

/** A page as the server serves it: links to other pages have their addresses, links to other files are plain text. */
export function servedPage(file, text) {
  const fences = text.split(/^(```[\s\S]*?^```$)/m);
  const link = (whole, image, label, target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return whole;
    const [path = '', fragment] = target.split('#');
    const linkedFile = normalize(join(dirname(file), path));
    if (!image && servedFiles.includes(linkedFile))
      return `[${label}](${addressOf(linkedFile)}${fragment ? `#${fragment}` : ''})`;
    return label;
  };
  return fences
    .map((part) => (part.startsWith('```') ? part : part.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, link)))
    .join('');
}

/**
 * Writes the pages into a folder, for `/docs/` of the server, and llms.txt and llms-full.txt into another one, for its root.
 */
export function writeDocs(folder, rootFolder) {
  const textOf = (file) => servedPage(file, readFileSync(file, 'utf8'));
  for (const file of servedFiles) {
    const path = join(folder, addressOf(file).slice('/docs/'.length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(file));
  }
  mkdirSync(rootFolder, { recursive: true });
  writeFileSync(join(rootFolder, 'llms.txt'), readFileSync('public/llms.txt', 'utf8'));
  const full = listed.map((file) => `\n<!-- ${addressOf(file)} -->\n\n${textOf(file)}`);
  writeFileSync(join(rootFolder, 'llms-full.txt'), introduction + full.join(''));
}
