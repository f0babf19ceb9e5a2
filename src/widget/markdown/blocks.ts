// Splits a growing Markdown text into independent blocks, in one pass over its lines. It only detects certain block ends:
// two blocks in one piece are slower, but half a block would be rendered wrongly.
// Why not `streaming-markdown`: it implements only a part of CommonMark and GFM (decision 20).

/** An independent part of the text: a fenced code block, Markdown lines, or inline text. */
export interface Block {
  kind: 'fence' | 'prose' | 'inline';
  text: string;
  /** Its last lines are indented code, or a fence inside a list: there, marks have no meaning. */
  isCode: boolean;
}

interface State {
  start: number;
  /** The position after the last line that is not blank. */
  end: number;
  kind: '' | 'prose' | 'list' | 'code' | 'fence';
  /** The marks of the open fence, also of a fence inside a list. */
  fence: string;
  /** The column from which a line belongs to the list item. */
  indent: number;
  isAfterBlank: boolean;
}

export interface Splitter {
  /** Reads the new complete lines and returns the blocks that no later text can change. */
  advance(text: string): Block[];
  /** The blocks that are still open, as if the text ended here. Changes nothing. */
  open(text: string): Block[];
}

export function createSplitter(): Splitter {
  const state: State = { start: 0, end: 0, kind: '', fence: '', indent: 0, isAfterBlank: false };
  let offset = 0;

  return {
    advance(text) {
      const blocks: Block[] = [];
      for (let next = text.indexOf('\n', offset); next >= 0; next = text.indexOf('\n', offset)) {
        step(state, text, offset, next, blocks);
        offset = next + 1;
      }
      return blocks;
    },
    open(text) {
      const blocks: Block[] = [];
      const last = { ...state };
      if (offset < text.length) step(last, text, offset, text.length, blocks);
      close(last, text, blocks);
      return blocks;
    },
  };
}

const fenceStart = /^ {0,3}(?:[-+*>] +|\d{1,9}[.)] +|>)*(`{3,}(?=[^`]*$)|~{3,})/;
const marker = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))(?:([ \t]+)(?=\S)|[ \t]*$)/;
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** Adds the line from `from` to `to` to the open block, or to a new one after it. */
function step(state: State, text: string, from: number, to: number, blocks: Block[]): void {
  const line = text.slice(from, to);
  if (state.kind === 'fence') {
    state.end = to;
    if (isFenceEnd(line, state.fence)) close(state, text, blocks);
    return;
  }
  if (/^[ \t]*$/.test(line)) {
    // A blank line ends a paragraph, a table, a quote; a list or indented code may continue after it.
    if (state.kind === 'prose') close(state, text, blocks);
    state.isAfterBlank = true;
    return;
  }
  const column = columnOf(line);
  const isInItem = state.kind === 'list' && column >= state.indent;
  const item = marker.exec(line);
  const fence = column < 4 && !item ? fenceStart.exec(line)?.[1] : undefined;
  const isAlone = column < 4 && heading.test(line);
  const isElsewhere =
    (state.isAfterBlank && state.kind === 'list' && !item && !isInItem) ||
    (state.isAfterBlank && state.kind === 'code' && column < 4);
  if (isElsewhere || (!isInItem && (fence || isAlone) && !/^ {0,3}>/.test(line))) close(state, text, blocks);
  if (!state.kind) {
    state.start = from;
    state.kind = column > 3 ? 'code' : 'prose';
    if (fence && !/^ {0,3}>/.test(line)) {
      state.kind = 'fence';
      state.fence = fence;
    }
  }
  state.end = to;
  state.isAfterBlank = false;
  if (state.kind === 'fence') return;
  if (isAlone && !isInItem) {
    close(state, text, blocks);
    return;
  }
  if (state.kind === 'code' && column < 4) state.kind = 'prose';
  if (item && (state.kind !== 'list' || !isInItem)) {
    const [, mark = '', space = ' '] = item;
    state.kind = 'list';
    state.indent = mark.length + (space.length > 4 ? 1 : space.length);
    state.fence = '';
  }
  // A fence inside an item is tracked only because marks in it have no meaning.
  if (state.kind !== 'list') return;
  if (state.fence && isFenceEnd(line.trimStart(), state.fence)) state.fence = '';
  else state.fence ||= fenceStart.exec(line.trimStart())?.[1] ?? '';
}

function close(state: State, text: string, blocks: Block[]): void {
  const { kind, start, end, fence } = state;
  if (kind) {
    blocks.push({
      kind: kind === 'fence' ? kind : 'prose',
      text: text.slice(start, end),
      isCode: kind === 'code' || (kind === 'list' && fence !== ''),
    });
  }
  state.kind = '';
  state.fence = '';
  state.isAfterBlank = false;
}

/** Whether a line ends the fence: the same mark, at least as long. */
export function isFenceEnd(line: string, fence: string): boolean {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return marks?.[0] === fence[0] && (marks?.length ?? 0) >= fence.length;
}

/** The column of the first character that is not a space; a tab advances to the next multiple of four. */
function columnOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === ' ') column++;
    else if (character === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}

/** Language and content of a fenced block that may still be open. */
export function readFence(text: string): { info: string; body: string; isClosed: boolean } {
  const [, indent = '', fence = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)/.exec(text) ?? [];
  const first = text.indexOf('\n');
  if (first < 0) return { info: rest.trim(), body: '', isClosed: false };
  const lastLine = text.lastIndexOf('\n');
  const isClosed = isFenceEnd(text.slice(lastLine + 1), fence);
  let body = text.slice(first + 1, isClosed ? lastLine + 1 : text.length);
  if (indent) body = body.replace(new RegExp(`^ {1,${indent.length}}`, 'gm'), '');
  return { info: rest.trim(), body: body.replace(/\n$/, ''), isClosed };
}
