// Colors finished code when the browser is idle. The highlighter is a separate chunk (highlight.ts). Long code is not
// colored, because some grammars take quadratic time.
import type { Grammar } from './highlight.ts';
import { append } from './insert.ts';
import type { RenderedBlock } from './rendered-blocks.ts';

export interface Colors {
  /** Schedules coloring of the code in finished blocks. */
  add(renderer: readonly RenderedBlock[]): void;
}

/** The language names of fences, and their grammars. They are known here, so that other languages load nothing. */
const names: Record<Grammar, string> = {
  bash: 'bash sh shell zsh console',
  c: 'c h cpp c++ cc hpp csharp c# cs',
  css: 'css scss less',
  diff: 'diff patch',
  go: 'go golang',
  html: 'html xml svg vue',
  java: 'java kotlin kt swift',
  js: 'js javascript jsx mjs cjs node',
  json: 'json json5 jsonc',
  py: 'py python python3',
  rs: 'rs rust',
  sql: 'sql mysql postgresql postgres sqlite',
  ts: 'ts typescript tsx',
  yaml: 'yaml yml',
};

/** The maximum number of characters; about half an hour of reading. */
const maxLength = 8_000;

export function createColors(signal: AbortSignal): Colors {
  const queue: { code: Element; grammar: Grammar }[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    try {
      const { readCode } = await import('./highlight.ts');
      for (let next = queue.shift(); next; next = queue.shift()) {
        await idle();
        if (signal.aborted) return;
        paint(next.code, readCode(next.code.textContent ?? '', next.grammar));
      }
    } catch {
      // Without the highlighter, the code stays readable without colors.
      queue.length = 0;
    } finally {
      isRunning = false;
    }
  }

  return {
    add(renderer) {
      for (const { nodes } of renderer) for (const node of nodes) queue.push(...find(node));
      if (queue.length && !isRunning) void run();
    },
  };
}

/** Finds code in a node whose language is known and which is not colored yet. */
function find(node: Node): { code: Element; grammar: Grammar }[] {
  if (!(node instanceof Element)) return [];
  const boxes = node.matches('.code') ? [node] : [...node.querySelectorAll('.code')];
  return boxes.flatMap((box) => {
    const name = box.querySelector('.code-name')?.textContent?.toLowerCase() ?? '';
    const code = box.querySelector('code');
    const grammar = (Object.keys(names) as Grammar[]).find((key) => names[key].split(' ').includes(name));
    const text = code?.textContent ?? '';
    if (!code || !grammar || code.firstElementChild || text.length > maxLength || /\s{400}/.test(text))
      return [];
    return [{ code, grammar }];
  });
}

/** Wraps the pieces of the same text in elements with classes. */
function paint(code: Element, pieces: readonly { text: string; kind: string | undefined }[]): void {
  if (pieces.map(({ text }) => text).join('') !== code.textContent) return;
  code.textContent = '';
  append(
    code,
    pieces.map(({ text, kind }) => {
      if (!kind) return document.createTextNode(text);
      const span = document.createElement('span');
      span.className = `syn-${kind}`;
      span.textContent = text;
      return span;
    }),
  );
}

/** Safari has no idle callback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else setTimeout(resolve, 50);
  });
