// Reads the steps of a recipe page: the same blocks that a reader copies are executed by the tests.
export type Step =
  | { kind: 'command'; text: string }
  /** `text` is the content of a file. */
  | { kind: 'write'; path: string; text: string }
  /** `text` contains lines of an existing file, and lines to add (`+`) and to remove (`-`). */
  | { kind: 'change'; path: string; text: string };

/** The recipes, by the names of their pages in docs/guides/recipes. */
export const frameworks = ['html', 'react', 'next', 'vue', 'nuxt', 'svelte', 'sveltekit', 'angular'];

/** The address of the server in all recipes, and that of the chat. */
export const exampleServer = 'https://chat.example.com';
export const exampleUrl = `${exampleServer}/chat/support`;

/**
 * Returns the steps of the section "Steps" of a page. Each of its blocks is a step: lines of `sh` are commands, and every
 * other block belongs to the file that the line before it names in backquotes, with a colon at its end.
 * @throws if a block is neither.
 */
export function readRecipe(markdown: string): Step[] {
  const section = /^## Steps\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(markdown)?.[1];
  if (section === undefined) throw new Error('The page has no section "Steps".');
  const steps: Step[] = [];
  for (const { 1: language = '', 2: text = '', index } of section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    if (language === 'sh') {
      steps.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => ({ kind: 'command' as const, text: line })),
      );
      continue;
    }
    const line = section.slice(0, index).trimEnd().split('\n').at(-1) ?? '';
    const path = /`([^`]+)`[^`]*:$/.exec(line)?.[1];
    if (!path) throw new Error(`No file is named before the block:\n${text}`);
    steps.push({ kind: language === 'diff' ? 'change' : 'write', path, text });
  }
  return steps;
}

/**
 * Applies the hunks of a `diff` block, which are separated by lines `@@`. Lines are found by their text without
 * indentation, each hunk after the one before it.
 * @throws if the lines of a hunk are not in the file.
 */
export function applyDiff(file: string, diff: string): string {
  const lines = file.split('\n');
  let from = 0;
  for (const hunk of diff.replace(/\n$/, '').split(/^@@.*\n/m)) {
    const parts = hunk
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => ({ sign: line[0] ?? ' ', text: line.slice(1) }));
    const context = parts.filter(({ sign }) => sign !== '+').map(({ text }) => text.trim());
    const at = lines.findIndex(
      (_, start) => start >= from && context.every((text, offset) => lines[start + offset]?.trim() === text),
    );
    if (context.length === 0 || at < 0) throw new Error(`The file does not contain:\n${context.join('\n')}`);
    let next = at;
    const made = parts.flatMap(({ sign, text }) => {
      if (sign === '+') return [text];
      // The file keeps its own indentation.
      const line = lines[next++] ?? '';
      return sign === '-' ? [] : [line];
    });
    lines.splice(at, context.length, ...made);
    from = at + made.length;
  }
  return lines.join('\n');
}
