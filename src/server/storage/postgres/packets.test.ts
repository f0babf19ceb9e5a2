// Tests how often a transaction writes to its connection: each write is a packet, for which a process of PostgreSQL wakes up.
import { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { WriteTx } from '../database.ts';
import { inOneFlight } from '../dialect.ts';
import { usePostgres } from './databases.testing.ts';

const postgres = usePostgres();

/** Counts the writes of each socket from now on. */
function countWrites(): Map<Socket, number> {
  const counts = new Map<Socket, number>();
  const { _write: write, _writev: writev } = Socket.prototype;
  const count = (socket: Socket) => counts.set(socket, (counts.get(socket) ?? 0) + 1);
  Socket.prototype._write = function (...given) {
    count(this);
    write.apply(this, given);
  };
  Socket.prototype._writev = function (...given) {
    count(this);
    writev?.apply(this, given);
  };
  onTestFinished(() => {
    Object.assign(Socket.prototype, { _write: write, _writev: writev });
  });
  return counts;
}

test('a transaction writes once for its beginning, its locks and the first statements, once for each further flight, and once to commit', async () => {
  const db = await postgres.open();
  const work = async (tx: WriteTx) => {
    await tx.lock('owner:a', 'conversation:b');
    await Promise.all([tx.get('SELECT 1 AS one'), tx.get('SELECT 2 AS two')]);
    await inOneFlight(tx, [
      () => tx.run('UPDATE users SET name = ? WHERE id = ?', 'a', 'a'),
      () => tx.run('DELETE FROM messages WHERE id = ?', 'a'),
      async () => void (await tx.all('SELECT id FROM bots WHERE id = ?', 'a')),
    ]);
  };
  await db.write(work);
  const writes = countWrites();
  await db.write(work);
  // The connection that checks the database may have written once meanwhile.
  expect(Math.max(...writes.values())).toBe(3);
});
