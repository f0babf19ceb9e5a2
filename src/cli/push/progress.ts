// Shows the progress of a push: a bar on a terminal, otherwise one line for each file.
import { oneLine } from '../errors.ts';
import type { Io } from '../io.ts';
import { paint, sizeOf } from '../output.ts';

export interface Progress {
  /** Reports the bytes of a file that have been sent so far. */
  sent(key: string, bytes: number): void;
  /** Reports that a file is complete. */
  done(key: string, size: number): void;
  /** Prints a line above the bar. */
  print(line: string): void;
  /** Removes the bar. */
  end(): void;
}

/** Milliseconds between two updates of the bar, at least. */
const updateIntervalMs = 80;

/** Shows the progress of `total` files of `bytes` bytes on stderr. */
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
    if (!isDrawn || (!isNow && Date.now() - drawnAt < updateIntervalMs)) return;
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
    print(line) {
      clear();
      stderr.write(`${line}\n`);
      draw(true);
    },
    end() {
      clear();
    },
  };
}

interface BarState {
  at: number;
  bytes: number;
  doneFiles: number;
  total: number;
  last: string;
  columns: number;
}

/** One line that fits the terminal: bar, percentage, counts, and the key of the last file. */
export function barOf({ at, bytes, doneFiles, total, last, columns }: BarState): string {
  // Empty files have no bytes to count.
  const share = Math.min(1, bytes > 0 ? at / bytes : doneFiles / Math.max(1, total));
  const cells = 24;
  const full = Math.round(share * cells);
  const bar = `${'█'.repeat(full)}${'░'.repeat(cells - full)}`;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const counts = `${doneFiles}/${total} files  ${sizeOf(Math.min(at, bytes))} of ${sizeOf(bytes)}`;
  // One less than the width, because a full line wraps on some terminals.
  return [...`${bar} ${percent}  ${counts}  ${oneLine(last)}`].slice(0, Math.max(1, columns - 1)).join('');
}
