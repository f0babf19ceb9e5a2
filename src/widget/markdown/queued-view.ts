// Renders finished messages in turn: as many as one short task allows, the newest first. A page of history has dozens of
// them, which would block the page of a slow phone for half a second. Those that wait are shown as plain text.
import { createPlain } from './plain.ts';
import type { MarkdownView } from './types.ts';

/** Milliseconds of rendering in one task, after which the next message waits for another task. */
const budgetMs = 20;
const waiting: (() => void)[] = [];
let spentMs = 0;
let isScheduled = false;

/** Whether this task has rendered enough. A hidden page is not blocked, and its timers are slow. */
const isOver = () => spentMs >= budgetMs && !document.hidden;

function schedule(): void {
  if (!isScheduled) setTimeout(next);
  isScheduled = true;
}

function run(task: () => void): void {
  const start = performance.now();
  schedule();
  task();
  spentMs += performance.now() - start;
}

function next(): void {
  isScheduled = false;
  spentMs = 0;
  for (let task = waiting.pop(); task; task = isOver() ? undefined : waiting.pop()) run(task);
  if (waiting.length > 0) schedule();
}

/** The task in which the bundle has loaded was long enough. */
export function waitForNextTask(): void {
  spentMs = budgetMs;
  schedule();
}

/**
 * Wraps a view whose first finished text can wait for its turn.
 * @param create makes the view of the element, which is then empty.
 */
export function createQueuedView(element: HTMLElement, create: () => MarkdownView): MarkdownView {
  let view = create();
  let isShown = false;
  let current: [markdown: string, isStreaming: boolean];

  const showPlain = () => {
    element.textContent = '';
    element.appendChild(createPlain(current[0]));
  };
  const cancel = () => {
    const position = waiting.indexOf(show);
    if (position >= 0) waiting.splice(position, 1);
  };
  const show = () => {
    const [markdown, isStreaming] = current;
    if (!isShown) element.textContent = '';
    cancel();
    view.update(markdown, isStreaming);
    // For example only definitions of links: then the source is shown instead of an empty bubble.
    isShown = isStreaming || isVisible(element);
    if (isShown) return;
    view.dispose();
    view = create();
    showPlain();
  };

  return {
    update(...next) {
      current = next;
      if (isShown || next[1]) show();
      else if (!isOver()) run(show);
      else {
        showPlain();
        if (!waiting.includes(show)) waiting.push(show);
      }
    },
    dispose() {
      cancel();
      view.dispose();
    },
  };
}

/** Whether an element has visible content. Invisible characters (zero width, direction marks) do not count. */
const isVisible = (element: HTMLElement): boolean =>
  /[^\s\p{Cf}\p{M}]/u.test(element.textContent ?? '') || element.querySelector('img, hr, button') !== null;
