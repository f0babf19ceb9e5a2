// Separates the reasoning in a leading `<think>…</think>` from the text. Models without a field for reasoning write it
// this way.

/** A piece of a content: of the reasoning, or of the text. */
export interface ContentPiece {
  isReasoning: boolean;
  text: string;
}

export interface ThinkTags {
  /** Returns the pieces of the next chunk. Characters that may belong to a tag are held back. */
  read(delta: string): ContentPiece[];
  /** Call it once at the end. Returns the text that was held back. */
  end(): string;
  /** The number of characters that were not text: the tags, and what is between them. */
  readonly removed: number;
}

const opening = '<think>';
const closing = '</think>';
/** Characters of blanks before a tag. */
const maxBlanks = 1_000;

export function createThinkTags(): ThinkTags {
  let state: 'before' | 'reasoning' | 'between' | 'text' = 'before';
  let held = '';
  let removed = 0;

  return {
    read(delta) {
      if (state === 'text') return delta === '' ? [] : [{ isReasoning: false, text: delta }];
      held += delta;
      const pieces: ContentPiece[] = [];
      const add = (isReasoning: boolean, text: string) => {
        if (text !== '') pieces.push({ isReasoning, text });
      };
      if (state === 'before') {
        const begun = held.trimStart();
        if (begun.startsWith(opening)) {
          removed += held.length - begun.length + opening.length;
          held = begun.slice(opening.length);
          state = 'reasoning';
        } else if (!opening.startsWith(begun) || held.length > maxBlanks) {
          state = 'text';
          add(false, held);
          held = '';
        }
      }
      if (state === 'reasoning') {
        const at = held.indexOf(closing);
        const isClosed = at >= 0;
        const length = isClosed ? at : held.length - partOfTag(held);
        add(true, held.slice(0, length));
        removed += length + (isClosed ? closing.length : 0);
        held = held.slice(length + (isClosed ? closing.length : 0));
        if (isClosed) state = 'between';
      }
      if (state === 'between') {
        const text = held.trimStart();
        removed += held.length - text.length;
        held = '';
        add(false, text);
        if (text !== '') state = 'text';
      }
      return pieces;
    },
    end: () => (state === 'before' ? held : ''),
    get removed() {
      return removed;
    },
  };
}

/** The number of characters at the end of a text that may begin a closing tag. */
function partOfTag(text: string): number {
  const last = text.lastIndexOf('<');
  return last >= 0 && closing.startsWith(text.slice(last)) ? text.length - last : 0;
}
