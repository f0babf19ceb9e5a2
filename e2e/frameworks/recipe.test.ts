// Tests the reader of recipe pages, and that every page of a framework has steps that can be executed.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyDiff, exampleUrl, frameworks, readRecipe } from './recipe.ts';

test('a recipe: commands line by line, new files, and changes, in the order of the page', () => {
  const page = `# A framework

\`\`\`sh
rm -rf everything
\`\`\`

## Steps

\`\`\`sh
npm create it
cd my-site
\`\`\`

Create \`src/chat.ts\`:

\`\`\`ts
export const url = '${exampleUrl}';
\`\`\`

Change \`src/main.ts\` as follows:

\`\`\`diff
+import './chat';
 start();
\`\`\`

## What to know

\`\`\`html
<p>no step</p>
\`\`\`
`;
  expect(readRecipe(page)).toEqual([
    { kind: 'command', text: 'npm create it' },
    { kind: 'command', text: 'cd my-site' },
    { kind: 'write', path: 'src/chat.ts', text: `export const url = '${exampleUrl}';\n` },
    { kind: 'change', path: 'src/main.ts', text: "+import './chat';\n start();\n" },
  ]);
});

test('a recipe without steps, and a block that belongs to no file, are refused', () => {
  expect(() => readRecipe('# A page\n')).toThrow('no section "Steps"');
  expect(() => readRecipe('# A page\n\n## Steps\n\nSome code:\n\n```ts\nstart();\n```\n')).toThrow(
    'No file is named before the block:\nstart();',
  );
});

test('a change finds its lines in any indentation, keeps that of the file, and applies its hunks in order', () => {
  const file = 'a();\n  b();\n    c();\n  b();\nd();\n';
  expect(applyDiff(file, ' b();\n+  new();\n@@\n-b();\n+  last();\n')).toBe(
    'a();\n  b();\n  new();\n    c();\n  last();\nd();\n',
  );
});

test.each([
  ['lines that the file does not have', ' e();\n+f();\n'],
  ['lines that are not together in the file', ' a();\n c();\n+f();\n'],
  ['a hunk whose lines are only before the previous one', ' d();\n@@\n a();\n+f();\n'],
  ['a hunk without a line of the file', '+f();\n'],
])('a change is refused: %s', (_, diff) => {
  expect(() => applyDiff('a();\nb();\nc();\nd();\n', diff)).toThrow('The file does not contain');
});

test.each(frameworks)(
  'the recipe %s installs or writes something, names the chat, and serves the result',
  async (name) => {
    const steps = readRecipe(await readFile(`docs/guides/recipes/${name}.md`, 'utf8'));
    expect(steps.filter(({ text }) => text.includes(exampleUrl))).toHaveLength(1);
    expect(steps.at(-1)?.kind).toBe('command');
    expect(steps.some(({ text }) => text.includes('@platform-webchat/'))).toBe(name !== 'html');
  },
);
