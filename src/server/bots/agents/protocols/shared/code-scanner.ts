// Tells whether the end of a Markdown text is inside of code, while the text arrives.

export interface CodeScanner {
  read(text: string): void;
  /** Whether what follows is inside of a block of code, or of code in a line. */
  readonly isCode: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

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
