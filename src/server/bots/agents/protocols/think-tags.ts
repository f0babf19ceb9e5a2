// Separates the reasoning of models that write it into their text, between tags at its beginning: `<think>…</think>`. The templates
// of some models end with the opening tag, so that the text has the closing one alone.
import type { AgentEvent, AgentReader } from '../protocol.ts';

export type ThinkEvent = Extract<AgentEvent, { type: 'text' | 'reasoning' | 'text-was-reasoning' }>;

export interface ThinkTags {
  /** Returns the events of the next piece of a text. Characters that may belong to a tag are held back. */
  read(delta: string): ThinkEvent[];
  /** The server separates the reasoning itself. Returns what was held back for it. */
  isSeparate(): ThinkEvent[];
  /** Something else than text follows. Returns what was held back, unless a tag is still expected. */
  flush(): ThinkEvent[];
  /** Call it once at the end. Returns what was held back. */
  end(): ThinkEvent[];
  /** The number of characters that were not text: the tags, and what is between them. */
  readonly removed: number;
}

/** The tags that models know, in lower case. */
const tags: readonly (readonly [opening: string, closing: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning'].map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
];
const openings = tags.map(([opening]) => opening);
const closings = tags.map(([, closing]) => closing);
/** Characters of blanks before a tag. */
const maxBlanks = 1_000;

/**
 * `before`: a tag may come. `presumed`: the model is known to write the closing tag alone, so that text waits for it. `between`:
 * after a closing tag. `text`: a closing tag without an opening one may come. `final`: none is read.
 */
type State = 'before' | 'presumed' | 'reasoning' | 'between' | 'text' | 'final';

/** `isPresumed`: earlier answers of the model had the closing tag alone. */
export function createThinkTags(isPresumed = false): ThinkTags {
  let state: State = 'before';
  let held = '';
  let removed = 0;
  /** The tag that ends the reasoning, and how many openings of it are in there. */
  let closing = '';
  let depth = 0;
  let code = createCodeScanner();
  /** The characters of the text so far. */
  let length = 0;
  let events: ThinkEvent[] = [];

  function emit(type: 'text' | 'reasoning', delta: string): void {
    if (delta === '') return;
    if (type === 'text') length += delta.length;
    else removed += delta.length;
    events.push({ type, delta });
  }

  function take(count: number): string {
    const taken = held.slice(0, count);
    held = held.slice(count);
    return taken;
  }

  function begin(opening: string): void {
    removed += take(opening.length).length;
    closing = closings[openings.indexOf(opening)] ?? '';
    depth = 0;
    state = 'reasoning';
  }

  /** Each step returns whether another one may follow with what is held. */
  const steps: Record<State, () => boolean> = {
    before() {
      const blanks = held.length - held.trimStart().length;
      const begun = held.slice(blanks).toLowerCase();
      const opening = openings.find((tag) => begun.startsWith(tag));
      if (opening !== undefined) {
        removed += take(blanks).length;
        begin(opening);
        return true;
      }
      if (blanks <= maxBlanks && openings.some((tag) => tag.startsWith(begun))) return false;
      state = isPresumed ? 'presumed' : 'text';
      return true;
    },
    presumed() {
      const found = nextTag(held, closings);
      if (found === undefined) return false;
      events.push({ type: 'text-was-reasoning' });
      emit('reasoning', take(found.index));
      removed += take(found.tag.length).length;
      state = 'between';
      return true;
    },
    reasoning() {
      const opening = openings[closings.indexOf(closing)] ?? '';
      const found = nextTag(held, [opening, closing]);
      emit('reasoning', take(found?.index ?? held.length - partOfTag(held, [opening, closing])));
      if (found === undefined) return false;
      const tag = take(found.tag.length);
      if (found.tag === opening) {
        depth += 1;
        emit('reasoning', tag);
        return true;
      }
      removed += tag.length;
      state = 'between';
      return true;
    },
    between() {
      removed += take(held.length - held.trimStart().length).length;
      const begun = held.toLowerCase();
      const again = closings.find((tag) => begun.startsWith(tag));
      if (again !== undefined) {
        removed += take(again.length).length;
        return true;
      }
      const opening = openings.find((tag) => begun.startsWith(tag));
      if (opening !== undefined) {
        begin(opening);
        return true;
      }
      if ([...openings, ...closings].some((tag) => tag.startsWith(begun))) return false;
      // Only where tags were in the reasoning, another closing tag is expected.
      state = depth > 0 ? 'text' : 'final';
      return true;
    },
    text() {
      const all = [...openings, ...closings];
      const found = nextTag(held, all);
      const before = take(found?.index ?? held.length - partOfTag(held, all));
      code.read(before);
      emit('text', before);
      if (found === undefined) return false;
      if (code.isCode || openings.includes(found.tag)) {
        // An explanation of the tags: what is opened here is closed here.
        if (!code.isCode) state = 'final';
        const tag = take(found.tag.length);
        code.read(tag);
        emit('text', tag);
        return true;
      }
      events.push({ type: 'text-was-reasoning' });
      removed += length + take(found.tag.length).length;
      length = 0;
      depth = Math.max(0, depth - 1);
      code = createCodeScanner();
      state = 'between';
      return true;
    },
    final() {
      emit('text', take(held.length));
      return false;
    },
  };

  function run(): ThinkEvent[] {
    while (held !== '' && steps[state]());
    const found = events;
    events = [];
    return found;
  }

  return {
    read(delta) {
      held += delta;
      return run();
    },
    isSeparate() {
      if (state === 'before' && isPresumed) isPresumed = false;
      if (state !== 'presumed') return [];
      state = 'text';
      return run();
    },
    flush() {
      if (state === 'text') {
        code.read(held);
        emit('text', take(held.length));
      }
      return run();
    },
    end() {
      const isText = state === 'before' || state === 'presumed' || state === 'text';
      emit(isText ? 'text' : 'reasoning', state === 'between' ? '' : take(held.length));
      return run();
    },
    get removed() {
      return removed;
    },
  };
}

/** The first of some tags in a text; undefined if there is none. */
function nextTag(text: string, all: readonly string[]): { index: number; tag: string } | undefined {
  let first: { index: number; tag: string } | undefined;
  const lower = text.toLowerCase();
  for (const tag of all) {
    const index = lower.indexOf(tag);
    if (index >= 0 && (first === undefined || index < first.index)) first = { index, tag };
  }
  return first;
}

/** The number of characters at the end of a text that may begin one of some tags. */
function partOfTag(text: string, all: readonly string[]): number {
  const lower = text.toLowerCase();
  const longest = Math.max(...all.map((tag) => tag.length)) - 1;
  for (let size = Math.min(longest, text.length); size > 0; size -= 1)
    if (all.some((tag) => tag.startsWith(lower.slice(-size)))) return size;
  return 0;
}

/**
 * Returns a reader that separates the reasoning in the text of another one. Each step of an agent is an answer of its model.
 * `isPresumed`: see `createThinkTags`.
 */
export function withThinkTags(reader: AgentReader, isPresumed: boolean | undefined): AgentReader {
  let content = createThinkTags(isPresumed);

  function separated(events: readonly AgentEvent[]): AgentEvent[] {
    return events.flatMap((event): AgentEvent[] => {
      switch (event.type) {
        case 'text':
          return content.read(event.delta);
        case 'reasoning':
          return [...content.isSeparate(), event];
        case 'paragraph':
          return [...content.flush(), event];
        case 'source': {
          const { end } = event;
          return [end === undefined ? event : { ...event, end: Math.max(0, end - content.removed) }];
        }
        case 'step': {
          const rest = content.end();
          content = createThinkTags(isPresumed);
          return [...rest, event];
        }
        case 'end':
        case 'failed':
          return [...content.end(), event];
        default:
          return [event];
      }
    });
  }

  return {
    read: (event) => separated(reader.read(event)),
    end: () => separated(reader.end()),
  };
}

export interface CodeScanner {
  read(text: string): void;
  /** Whether what follows is inside of a block of code, or of code in a line. */
  readonly isCode: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Scans a Markdown text while it arrives: whether its end is inside of code. */
export function createCodeScanner(): CodeScanner {
  /** The beginning of the current line. */
  let line = '';
  /** The mark that ends the block of code. */
  let block: string | undefined;
  /** The number of backticks that end the code in a line; 0 outside of one. */
  let open = 0;
  /** Backticks that have arrived without another character after them. */
  let ticks = 0;

  function endTicks(): void {
    if (ticks === 0) return;
    if (open === 0) open = ticks;
    else if (open === ticks) open = 0;
    ticks = 0;
  }

  function endLine(): void {
    const mark = fence.exec(line)?.[1];
    const isEmpty = line.trim() === '';
    line = '';
    ticks = 0;
    if (mark !== undefined && block === undefined) {
      block = mark;
      open = 0;
    } else if (
      mark !== undefined &&
      block !== undefined &&
      mark[0] === block[0] &&
      mark.length >= block.length
    )
      block = undefined;
    // Code in a line ends with its paragraph.
    else if (isEmpty) open = 0;
  }

  return {
    read(text) {
      for (const character of text) {
        if (character === '\n') endLine();
        else {
          if (line.length < 80) line += character;
          if (block !== undefined) continue;
          if (character === '`') ticks += 1;
          else endTicks();
        }
      }
    },
    get isCode() {
      if (block !== undefined) return true;
      if (fence.test(line)) return true;
      if (ticks === 0) return open > 0;
      return open === 0 || open !== ticks;
    },
  };
}
