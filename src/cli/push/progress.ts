// How far a push is: a bar that is drawn again on a terminal, a line a file elsewhere. It decides nothing.
import type { Io } from '../command.ts';
import { oneLine } from '../errors.ts';
import { paint, sizeOf } from '../output.ts';

export interface Progress {
  /** Bytes of a file that are on their way, of those sent now. */
  sent(key: string, bytes: number): void;
  /** A file is there. */
  done(key: string, size: number): void;
  /** A line that stays. */
  say(line: string): void;
  /** Takes the bar away. */
  end(): void;
}

/** Milliseconds between two drawings. */
const pace = 80;

/** Shows how far `total` files of `bytes` bytes are, on stderr. */
export function createProgress(io: Io, total: number, bytes: number): Progress {
  const { stderr } = io;
  const isDrawn = !!stderr.isTTY && io.env.TERM !== 'dumb';
  const moving = new Map<string, number>();
  let doneFiles = 0;
  let doneBytes = 0;
  let drawnAt = 0;
  let last = '';

  const clear = () => isDrawn && stderr.write('\r\u001b[K');
  const draw = (isNow: boolean) => {
    if (!isDrawn || (!isNow && Date.now() - drawnAt < pace)) return;
    drawnAt = Date.now();
    const at = [...moving.values()].reduce((sum, value) => sum + value, doneBytes);
    const line = barOf({ at, bytes, doneFiles, total, last, columns: stderr.columns ?? 80 });
    stderr.write(`\r\u001b[K${line}`);
  };
  return {
    sent(key, count) {
      moving.set(key, count);
      last = key;
      draw(false);
    },
    done(key, size) {
      moving.delete(key);
      doneFiles++;
      doneBytes += size;
      if (!isDrawn) stderr.write(`${paint('green', 'sent', stderr, io)} ${oneLine(key)} (${sizeOf(size)})\n`);
      draw(true);
    },
    say(line) {
      clear();
      stderr.write(`${line}\n`);
      draw(true);
    },
    end() {
      clear();
    },
  };
}

interface Where {
  at: number;
  bytes: number;
  doneFiles: number;
  total: number;
  last: string;
  columns: number;
}

/** One line that fits the terminal: the bar, the share, files and bytes, and the name of what is on its way. */
export function barOf({ at, bytes, doneFiles, total, last, columns }: Where): string {
  // Empty files have no bytes to count.
  const share = Math.min(1, bytes > 0 ? at / bytes : doneFiles / Math.max(1, total));
  const cells = 24;
  const full = Math.round(share * cells);
  const bar = `${'█'.repeat(full)}${'░'.repeat(cells - full)}`;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const counts = `${doneFiles}/${total} files  ${sizeOf(Math.min(at, bytes))} of ${sizeOf(bytes)}`;
  // One less than the width: a line that is full wraps on some terminals.
  return [...`${bar} ${percent}  ${counts}  ${oneLine(last)}`].slice(0, Math.max(1, columns - 1)).join('');
}
