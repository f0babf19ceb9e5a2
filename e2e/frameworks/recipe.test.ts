// Tests that every recipe of a framework has steps that can be executed.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exampleUrl, frameworks, readRecipe } from './recipe.ts';

test.each(frameworks)(
  'the recipe %s installs or writes something, names the chat, and serves the result',
  async (name) => {
    const steps = readRecipe(await readFile(`docs/guides/recipes/${name}.md`, 'utf8'));
    expect(steps.filter(({ text }) => text.includes(exampleUrl))).toHaveLength(1);
    expect(steps.at(-1)?.kind).toBe('command');
    expect(steps.some(({ text }) => text.includes('@platform-webchat/'))).toBe(name !== 'html');
  },
);
