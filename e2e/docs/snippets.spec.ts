// Compiles every TypeScript and JavaScript example of README.md and docs/ in strict mode against the built declarations,
// with both ways in which projects resolve modules.
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { compile } from 'svelte/compiler';
import { build } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';
import { withProject } from '../support/site-project.ts';

interface Snippet {
  /** The page and the line of the code's first line, for reports. */
  location: string;
  language: string;
  code: string;
}

/**
 * The names that an example may take from its surroundings, with their types. An example names those that it uses in a
 * comment: `// Given: admin, bot`.
 */
const surroundings: Record<string, string> = {
  platform: "import('platform-webchat/global').Platform",
  userKey: 'string',
  admin: "import('platform-webchat/client').AdminClient",
  client: "import('platform-webchat/client').Client",
  Client: "typeof import('platform-webchat/client').Client",
  bot: '{ id: string }',
  token: 'string',
  apiUrl: 'string',
  workspaceId: 'string',
  botId: 'string',
  agentUrl: 'string',
  dataLayer: 'object[]',
  plausible: '(name: string, options: { props: object }) => void',
  _paq: 'unknown[][]',
  page: "import('@playwright/test').Page",
  shop: '{ add(id: string): Promise<number>; items: object[]; current: string }',
};

/** The first one also checks the declarations of the packages and of what they import: 6 of its 9 seconds of processor time. */
const resolutions = {
  nodenext: '--module nodenext --moduleResolution nodenext',
  bundler: '--module esnext --moduleResolution bundler --skipLibCheck',
};

async function readSnippets(): Promise<Snippet[]> {
  const docs = await readdir('docs', { recursive: true });
  const folders = await readdir('src/packages', { withFileTypes: true });
  const pages = [
    'README.md',
    ...folders
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join('src/packages', name, 'README.md')),
    ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file)),
  ];
  const found: Snippet[] = [];
  for (const page of pages.sort()) {
    const text = await readFile(page, 'utf8');
    for (const { 1: language = '', 2: code = '', index } of text.matchAll(
      /^```(ts|tsx|js|jsx|mjs|typescript|javascript)\n([\s\S]*?)^```/gm,
    )) {
      // Not installed here: `npm run test:frameworks` compiles it.
      if (code.includes("from '@angular/")) continue;
      // Its types need others that are not installed; src/server/bots/agents/protocols/docs.integration.test.ts runs it.
      if (code.includes("from 'ai'")) continue;
      found.push({ location: `${page}:${text.slice(0, index).split('\n').length + 1}`, language, code });
    }
  }
  return found;
}

test('every component of the documentation is compiled by its framework without a warning', async () => {
  const folder = 'docs/guides';
  const found: string[] = [];
  for (const page of (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md'))) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const [, language, code = ''] of text.matchAll(/^```(vue|svelte)\n([\s\S]*?)^```/gm)) {
      found.push(page);
      if (language === 'svelte') {
        expect(compile(code, { generate: 'client' }).warnings, page).toEqual([]);
        continue;
      }
      const { descriptor, errors } = parse(code);
      expect(errors, page).toEqual([]);
      expect(compileScript(descriptor, { id: 'page', inlineTemplate: true }).warnings ?? [], page).toEqual(
        [],
      );
    }
  }
  expect(found.sort()).toEqual(['svelte.md', 'svelte.md', 'vue.md']);
});

/** Declares what the example takes from its surroundings on its first line, so that line numbers stay. */
function declarationsFor({ code, location }: Snippet): string {
  const names = [...code.matchAll(/^\/\/ Given: (.+?)\.?$/gm)].flatMap(([, list = '']) => list.split(', '));
  return names
    .map((name) => {
      const type = surroundings[name];
      expect(type, `${location}: '${name}' is not in the list of surroundings`).toBeDefined();
      return `declare const ${name}: ${type};`;
    })
    .join(' ');
}

for (const [resolution, flags] of Object.entries(resolutions)) {
  test(`every example of the documentation and of the packages compiles in strict mode with the resolution ${resolution}`, async () => {
    // The compiler takes a minute at a load of 15 on two cores.
    test.setTimeout(240_000);
    const snippets = await readSnippets();
    expect(snippets.length).toBeGreaterThan(35);
    await withProject(async (folder) => {
      const files = new Map<string, Snippet>();
      for (const [index, snippet] of snippets.entries()) {
        const name = `example-${index}.${/x$/.test(snippet.language) ? 'tsx' : 'ts'}`;
        files.set(name, snippet);
        await writeFile(join(folder, name), `${declarationsFor(snippet)} export {}; ${snippet.code}`);
      }
      const { stdout } = await promisify(execFile)('node_modules/.bin/tsc', [
        ...`--ignoreConfig --pretty false --noEmit --strict --target es2022 --lib es2023,dom,dom.iterable ${flags}`.split(
          ' ',
        ),
        ...'--types node --jsx react-jsx'.split(' '),
        ...[...files.keys()].map((name) => join(folder, name)),
      ]).catch((error) => error);
      const errors = String(stdout)
        .split('\n')
        .flatMap((line) => {
          const [, name = '', row = '', text = ''] =
            /(example-\d+\.tsx?)\((\d+),\d+\): (.*)/.exec(line) ?? [];
          const snippet = files.get(name);
          if (!snippet) return /^\s|^$/.test(line) ? [] : [line];
          // JavaScript cannot declare the types of parameters.
          if (/^js|^mjs|^javascript/.test(snippet.language) && /error TS70\d\d/.test(text)) return [];
          const [page, first = ''] = snippet.location.split(':');
          return [`${page}:${Number(first) + Number(row) - 1}: ${text}`];
        });
      expect(errors).toEqual([]);
    });
  });
}

test("`import 'platform-webchat/global'` is a module for Vite and for Node", async () => {
  await withProject(async (folder) => {
    const code =
      "import 'platform-webchat/global';\nimport 'platform-webchat/bot';\nconsole.log('loaded');\n";
    await writeFile(join(folder, 'entry.mjs'), code);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'entry.mjs')]);
    expect(stdout).toBe('loaded\n');
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      build: { write: false, rollupOptions: { input: join(folder, 'entry.mjs') } },
    });
    expect('output' in result && result.output[0].code).toContain('loaded');
  });
});
