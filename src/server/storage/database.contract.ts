// The conformance suite of storage, which every implementation of Database must pass. It uses tables of the real
// schema, so that an engine is tested with the real columns and collations.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anyText } from '../../protocol/any-text.testing.ts';
import type { Database, Tx, WriteTx } from './database.ts';
import { declaredColumns, storedColumns } from './declarations.testing.ts';
import { enqueueDeletion, finishDeletion } from './deletions.ts';
import { inList } from './dialect.ts';
import type { LockName } from './locks.ts';
import { listTables } from './move.ts';
import { openReader } from './open.ts';
import { columnOf, fieldOf } from './table.ts';

/** An empty database with the current schema. */
export interface OpenedDatabase {
  db: Database;
  /** Reopens the same database after it was closed. */
  reopen(): Promise<Database>;
  /** Closes the open databases and removes all files. */
  dispose(): Promise<void>;
}

/** `isSerial`: the engine runs one write after the other, in the order of the calls. */
export function testDatabase(
  engine: string,
  open: () => Promise<OpenedDatabase>,
  { isSerial = true }: { isSerial?: boolean } = {},
): void {
  const testSerial = isSerial ? test : () => {};
  describe(`${engine} as a Database`, () => {
    let opened: OpenedDatabase;
    let db: Database;
    beforeEach(async () => {
      opened = await open();
      db = opened.db;
    });
    afterEach(() => opened.dispose());

    const put =
      (id: string, data: unknown = null) =>
      (tx: WriteTx) =>
        enqueueDeletion(tx, 'user', id, data);
    const idsOf = async (tx: Tx) =>
      (await tx.all<{ id: string }>('SELECT id FROM deletions ORDER BY id')).map(({ id }) => id);
    const ids = () => db.read(idsOf);
    /** Stores a text unchanged, and returns the text that is read. */
    const textOf = async (id: string) =>
      (await db.read((tx) => tx.get<{ data: string | null }>('SELECT data FROM deletions WHERE id = ?', id)))
        ?.data;
    const putText = (id: string, text: string | null) =>
      db.write((tx) => tx.run("INSERT INTO deletions (kind, id, data) VALUES ('user', ?, ?)", id, text));
    const putNumber = (id: string, bytes: number) =>
      db.write((tx) => tx.run('INSERT INTO usage (id, bytes) VALUES (?, ?)', id, bytes));
    const numberOf = async (id: string) =>
      (await db.read((tx) => tx.get<{ bytes: number }>('SELECT bytes FROM usage WHERE id = ?', id)))?.bytes;
    const statusesOf = async (writes: Promise<unknown>[]) =>
      (await Promise.allSettled(writes)).map(({ status }) => status);

    describe('write', () => {
      test('resolves with the result of its work when the changes can be read', async () => {
        expect(await db.write(async (tx) => [await put('a')(tx), 'result'][1])).toBe('result');
        expect(await ids()).toEqual(['a']);
      });

      testSerial('sees its own changes and those of every earlier write', async () => {
        const seen = await Promise.all(
          ['a', 'b', 'c'].map((id) =>
            db.write(async (tx) => {
              await put(id)(tx);
              return idsOf(tx);
            }),
          ),
        );
        expect(seen).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
      });

      test('rejects with the error of its work, and rolls back only that work', async () => {
        const error = new Error('refused');
        const writes = ['a', 'b', 'c'].map((id) =>
          db.write(async (tx) => {
            await put(id)(tx);
            if (id === 'b') throw error;
          }),
        );
        expect(await Promise.allSettled(writes)).toMatchObject([
          { status: 'fulfilled' },
          { status: 'rejected', reason: error },
          { status: 'fulfilled' },
        ]);
        expect(await ids()).toEqual(['a', 'c']);
      });

      test('is rolled back completely when one of its statements fails', async () => {
        const failing = db.write(async (tx) => {
          await put('a')(tx);
          await tx.run('INSERT INTO deletions (kind, id) VALUES (NULL, ?)', 'b');
        });
        expect(await statusesOf([failing, db.write(put('c'))])).toEqual(['rejected', 'fulfilled']);
        expect(await ids()).toEqual(['c']);
      });

      test('lets timers run between one write and the next', async () => {
        let hasRun = false;
        const timer = setTimeout(() => {
          hasRun = true;
        });
        for (let n = 0; n < 1_000 && !hasRun; n++) await db.write(put('a'));
        clearTimeout(timer);
        expect(hasRun).toBe(true);
      });

      testSerial('runs exclusively: none of a hundred concurrent increments is lost', async () => {
        await putNumber('counter', 0);
        const increment = (tx: WriteTx) =>
          tx
            .get<{ bytes: number }>("SELECT bytes FROM usage WHERE id = 'counter'")
            .then((row) => tx.run("UPDATE usage SET bytes = ? WHERE id = 'counter'", (row?.bytes ?? 0) + 1));
        await Promise.all(Array.from({ length: 100 }, () => db.write(increment)));
        expect(await numberOf('counter')).toBe(100);
      });

      test('that is requested by another write runs after it, also when that one fails', async () => {
        let nested: Promise<string[]> | undefined;
        const outer = db.write(async (tx) => {
          await put('outer')(tx);
          nested = db.write(idsOf);
          throw new Error('refused');
        });
        await expect(outer).rejects.toThrow('refused');
        expect(await nested).toEqual([]);
      });

      test('assigns sequence numbers without gaps and in the order of commits', async () => {
        await db.write((tx) =>
          tx.run(
            `INSERT INTO conversations (id, bot_id, owner_id, created_at, updated_at) VALUES ('c', 'b', 'o', 1, 1)`,
          ),
        );
        const next = (tx: WriteTx) =>
          tx.get<{ seq: number }>("UPDATE conversations SET seq = seq + 1 WHERE id = 'c' RETURNING seq");
        const taken = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            db.write(async (tx) => {
              const row = await next(tx);
              if (n % 7 === 3) throw new Error('refused');
              return row?.seq;
            }),
          ).map((write) => write.catch(() => undefined)),
        );
        const numbers = taken.filter((seq) => seq !== undefined);
        if (!isSerial) numbers.sort((a, b) => a - b);
        expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1));
      });
    });

    describe('afterCommit', () => {
      testSerial(
        'runs effects in the order of the writes, when the changes can be read and before write resolves',
        async () => {
          const log: string[] = [];
          let reads: Promise<string[]>[] = [];
          await Promise.all(
            ['a', 'b', 'c'].map(async (id) => {
              await db.write(async (tx) => {
                await put(id)(tx);
                tx.afterCommit(() => {
                  log.push(`${id} committed`);
                  reads = [...reads, ids()];
                });
                tx.afterCommit(() => log.push(`${id} second effect`));
              });
              log.push(`${id} resolved`);
            }),
          );
          const effects = log.filter((line) => !line.endsWith('resolved'));
          expect(effects).toEqual(
            ['a', 'b', 'c'].flatMap((id) => [`${id} committed`, `${id} second effect`]),
          );
          for (const id of ['a', 'b', 'c']) {
            expect(log.indexOf(`${id} resolved`)).toBeGreaterThan(log.indexOf(`${id} second effect`));
          }
          for (const [index, read] of reads.entries()) {
            expect(await read).toEqual(expect.arrayContaining(['a', 'b', 'c'].slice(0, index + 1)));
          }
        },
      );

      test('runs no effect of a write that fails', async () => {
        const effects: string[] = [];
        const writes = ['a', 'b', 'c'].map((id) =>
          db.write(async (tx) => {
            tx.afterCommit(() => effects.push(id));
            await put(id)(tx);
            if (id === 'b') throw new Error('refused');
          }),
        );
        expect(await statusesOf(writes)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        // Writes at the same time have no order.
        expect(effects.toSorted()).toEqual(['a', 'c']);
      });

      test('an effect that throws rejects only its own write, whose changes are kept', async () => {
        const effects: string[] = [];
        const writes = ['a', 'b'].map((id) =>
          db.write(async (tx) => {
            await put(id)(tx);
            tx.afterCommit(() => {
              if (id === 'a') throw new Error('effect');
              effects.push(id);
            });
          }),
        );
        expect(await statusesOf(writes)).toEqual(['rejected', 'fulfilled']);
        expect([await ids(), effects]).toEqual([['a', 'b'], ['b']]);
      });
    });

    describe('a work that may run again', () => {
      test('finds the row of another write that its insert conflicts with: one of fifty inserts it', async () => {
        const takeName = async (tx: WriteTx) => {
          const found = await tx.get("SELECT id FROM usage WHERE id = 'name'");
          if (!found) await tx.run("INSERT INTO usage (id) VALUES ('name')");
          return found === undefined;
        };
        const taken = await Promise.all(Array.from({ length: 50 }, () => db.write(takeName)));
        expect(taken.filter(Boolean)).toHaveLength(1);
      });

      test('has its changes and its effects once, however often it ran', async () => {
        const effects: number[] = [];
        let runs = 0;
        const writes = Array.from({ length: 50 }, (_, n) =>
          db.write(async (tx) => {
            runs += 1;
            tx.afterCommit(() => effects.push(n));
            const row = await tx.get("SELECT id FROM usage WHERE id = 'counter'");
            if (row) await tx.run("UPDATE usage SET bytes = bytes + 1 WHERE id = 'counter'");
            else await tx.run("INSERT INTO usage (id, bytes) VALUES ('counter', 1)");
            tx.afterCommit(() => effects.push(n));
          }),
        );
        await Promise.all(writes);
        expect(runs).toBeGreaterThanOrEqual(50);
        expect(await numberOf('counter')).toBe(50);
        expect(effects.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n >> 1));
      });
    });

    describe('lock', () => {
      const count = async (tx: Tx) =>
        (await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM deletions'))?.n ?? 0;
      /** Inserts a row unless there are already `limit`. */
      const putUpTo = (limit: number, id: string, lock: LockName) => async (tx: WriteTx) => {
        await tx.lock(lock);
        if ((await count(tx)) >= limit) return false;
        await put(id)(tx);
        return true;
      };
      const insertConversation = (id: string) =>
        db.write((tx) =>
          tx.run(
            `INSERT INTO conversations (id, bot_id, owner_id, created_at, updated_at) VALUES (?, 'b', 'o', 1, 1)`,
            id,
          ),
        );

      test.each(['bot:b', 'conversation:c', 'owner:o', 'table:t', 'workspace:w', 'start:'] as const)(
        'of fifty writes at once that count under the lock %s, as many insert as the limit allows',
        async (lock) => {
          await insertConversation('c');
          const writes = Array.from({ length: 50 }, (_, n) => db.write(putUpTo(20, `${n}`, lock)));
          expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(20);
          expect(await db.read(count)).toBe(20);
        },
      );

      test('is released by a work that fails', async () => {
        const writes = Array.from({ length: 20 }, (_, n) =>
          db.write(async (tx) => {
            await tx.lock('bot:b');
            await put(`${n}`)(tx);
            if (n % 2 === 0) throw new Error('refused');
          }),
        );
        const statuses = await statusesOf(writes);
        expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(10);
        expect(await db.read(count)).toBe(10);
      });

      test('of several names can be taken in any order by one call: no two works wait for each other', async () => {
        for (const id of ['c', 'd']) await insertConversation(id);
        const names: LockName[] = ['conversation:d', 'bot:b', 'conversation:c', 'owner:2', 'owner:1'];
        const writes = Array.from({ length: 40 }, (_, n) =>
          db.write(async (tx) => {
            await tx.lock(...(n % 2 === 0 ? names : [...names].reverse()));
            await put(`${await count(tx)}`)(tx);
          }),
        );
        expect(new Set(await statusesOf(writes))).toEqual(new Set(['fulfilled']));
        // Each has seen the rows of all that had the locks before.
        expect(await db.read(count)).toBe(40);
      });

      test('can be taken in several calls in the order of the kinds, and again by the work that holds it', async () => {
        await insertConversation('c');
        const writes = Array.from({ length: 20 }, () =>
          db.write(async (tx) => {
            await tx.lock('bot:b');
            await tx.lock('owner:o', 'bot:b');
            await tx.lock('conversation:c');
            await put(`${await count(tx)}`)(tx);
            await tx.lock('bot:b', 'owner:o');
          }),
        );
        await Promise.all(writes);
        expect(await db.read(count)).toBe(20);
      });

      test('the lock of a conversation excludes works that take its next sequence number', async () => {
        await insertConversation('c');
        const seqOf = async (tx: Tx) =>
          (await tx.get<{ seq: number }>("SELECT seq FROM conversations WHERE id = 'c'"))?.seq;
        const writes = Array.from({ length: 40 }, (_, n) =>
          db.write(async (tx) => {
            if (n % 2 === 0) return tx.run("UPDATE conversations SET seq = seq + 1 WHERE id = 'c'");
            await tx.lock('conversation:c');
            const before = await seqOf(tx);
            return expect(await seqOf(tx)).toBe(before);
          }),
        );
        await Promise.all(writes);
        expect(await db.read(seqOf)).toBe(20);
      });

      test('of a conversation that does not exist is taken at once', async () => {
        await db.write((tx) => tx.lock('conversation:none', 'owner:none'));
        await db.write(async (tx) => {
          await tx.lock('conversation:none');
          await put('a')(tx);
        });
        expect(await ids()).toEqual(['a']);
      });
    });

    describe('read', () => {
      test('never sees a part of a write', async () => {
        await Promise.all([putNumber('left', 1_000), putNumber('right', 0)]);
        const sum = (tx: Tx) => tx.get<{ sum: number }>('SELECT SUM(bytes) AS sum FROM usage');
        const sums: Promise<{ sum: number } | undefined>[] = [];
        const transfers = Array.from({ length: 60 }, () =>
          db.write(async (tx) => {
            await tx.run("UPDATE usage SET bytes = bytes - 1 WHERE id = 'left'");
            sums.push(db.read(sum));
            await tx.run("UPDATE usage SET bytes = bytes + 1 WHERE id = 'right'");
          }),
        );
        await Promise.all(transfers);
        sums.push(db.read(sum));
        const seen = new Set((await Promise.all(sums)).map((row) => row?.sum));
        expect([...seen]).toEqual([1_000]);
        expect(await numberOf('right')).toBe(60);
      });

      test('cannot write', async () => {
        const writing = db.read((tx) =>
          tx.get("INSERT INTO deletions (kind, id) VALUES ('user', 'x') RETURNING id"),
        );
        await expect(writing).rejects.toThrow();
        expect(await ids()).toEqual([]);
      });
    });

    describe('statements', () => {
      test('run returns the number of rows that a statement changed or matched', async () => {
        for (const id of ['a', 'b']) await putNumber(id, 1);
        const counts = await db.write(async (tx) => [
          await tx.run('UPDATE usage SET bytes = 1'),
          await tx.run("UPDATE usage SET bytes = 2 WHERE id = 'none'"),
          await tx.run("INSERT INTO usage (id) VALUES ('a') ON CONFLICT DO NOTHING"),
          await tx.run('DELETE FROM usage'),
        ]);
        expect(counts).toEqual([2, 0, 0, 2]);
      });

      test('the same text can be executed with other values, of other types, and concurrently', async () => {
        for (const [id, text] of [
          ['a', 'x'],
          ['b', null],
          ['c', '1'],
        ] as const)
          await putText(id, text);
        const find = (text: string | null) =>
          db.read((tx) =>
            tx.all<{ id: string }>(
              'SELECT id FROM deletions WHERE data = ? OR (data IS NULL AND CAST(? AS TEXT) IS NULL)',
              text,
              text,
            ),
          );
        const found = await Promise.all(['x', null, '1', 'y', 'x'].map(find));
        expect(found.map((rows) => rows.map(({ id }) => id))).toEqual([['a'], ['b'], ['c'], [], ['a']]);
      });

      test('columns have other names in rows: user_id is userId, also those of aliases and of RETURNING', async () => {
        await db.write(async (tx) => {
          const hour = 'INSERT INTO usage (id, hour_bytes) VALUES (?, 5) RETURNING id, hour_bytes';
          expect(await tx.get(hour, 'a')).toEqual({ id: 'a', hourBytes: 5 });
        });
        const rows = (columns: string) => db.read((tx) => tx.all(`SELECT ${columns} FROM usage u`));
        expect(await rows('u.hour_bytes')).toEqual([{ hourBytes: 5 }]);
        expect(await rows('hour_bytes + 1 AS next_bytes, 2 AS v_2')).toEqual([{ nextBytes: 6, v_2: 2 }]);
        expect(await rows('hour_bytes AS "asIs", id AS "u.an_id"')).toEqual([{ asIs: 5, 'u.anId': 'a' }]);
      });

      test('the name of every column follows from its name in rows', async () => {
        const names = (await db.read(listTables)).flatMap(({ columns }) => columns.map(({ name }) => name));
        expect(names.length).toBeGreaterThan(300);
        expect(names.filter((name) => columnOf(fieldOf(name)) !== name)).toEqual([]);
      });

      test('every table is declared with the columns, types, nulls and defaults of its schema', async () => {
        const declared = await declaredColumns();
        const names = Object.keys(declared);
        expect(names.length).toBeGreaterThan(20);
        expect(await db.read((tx) => storedColumns(tx, names))).toEqual(declared);
      });

      test('more texts than a connection caches can be executed repeatedly', async () => {
        const answers = await db.read((tx) =>
          Promise.all(
            Array.from({ length: 1_200 }, (_, n) =>
              tx.get<{ n: number }>(`SELECT ${n % 600} AS n, ${n} AS m`),
            ),
          ),
        );
        expect(answers.map((row) => row?.n)).toEqual(Array.from({ length: 1_200 }, (_, n) => n % 600));
      });
    });

    describe('unique keys', () => {
      test('of many inserts that ignore conflicts exactly one reports a change', async () => {
        const changes = await Promise.all(
          Array.from({ length: 20 }, () =>
            db.write((tx) => tx.run("INSERT INTO usage (id) VALUES ('a') ON CONFLICT DO NOTHING")),
          ),
        );
        expect(changes.reduce((sum, count) => sum + count, 0)).toBe(1);
      });
    });

    describe('texts', () => {
      // In the order of their UTF-8 bytes, which is the order of code points; in UTF-16 😀 sorts before ～.
      const ordered = ['', ' ', '!', '0', '9', 'A', '_', 'a', 'aa', 'b', '~', 'Ä', 'é', 'ﬀ', '～', '😀'];

      test('are ordered and compared by their bytes, in any locale of the machine', async () => {
        for (const id of [...ordered].reverse()) await db.write(put(id));
        expect(await ids()).toEqual(ordered);
        const below = await db.read((tx) =>
          tx.all<{ id: string }>('SELECT id FROM deletions WHERE id < ? ORDER BY id DESC', '~'),
        );
        expect(below.map(({ id }) => id)).toEqual(ordered.slice(0, ordered.indexOf('~')).reverse());
      });

      test('of JSON are returned unchanged, with every character that JSON escapes', async () => {
        const json = fc.oneof(
          fc.json(),
          anyText().map((text) => JSON.stringify(text)),
        );
        await fc.assert(
          fc.asyncProperty(json, async (text) => {
            await putText('json', text);
            expect(await textOf('json')).toBe(text);
            await db.write((tx) => finishDeletion(tx, { kind: 'user', id: 'json' }));
          }),
          { numRuns: 50, examples: [[JSON.stringify('\ud800 \u0000 \u2028 👩‍👩‍👧')]] },
        );
      });

      test('of a megabyte are returned unchanged', async () => {
        const text = 'äö😀 '.repeat(120_000);
        await putText('large', text);
        expect((await textOf('large')) === text).toBe(true);
      });

      test('with a NUL are rejected, because no engine stores or finds them reliably', async () => {
        await expect(putText('a', 'before\0after')).rejects.toThrow();
        await expect(
          db.read((tx) => tx.get('SELECT id FROM deletions WHERE id = ?', '\0')),
        ).rejects.toThrow();
        expect(await ids()).toEqual([]);
      });

      test('with an unpaired surrogate are returned with U+FFFD instead', async () => {
        await putText('half', 'a\ud800b');
        expect(await textOf('half')).toBe('a\ufffdb');
      });
    });

    describe('a list as one parameter', () => {
      const found = (texts: readonly string[]) =>
        db.read(async (tx) => {
          const { sql, values } = inList(tx, 'id', texts);
          const rows = await tx.all<{ id: string }>(
            `SELECT id FROM deletions WHERE ${sql} ORDER BY id`,
            ...values,
          );
          return rows.map(({ id }) => id);
        });

      test('contains exactly its texts, whatever characters they have', async () => {
        const hostile = ['', '"', '\\', '\\"', ',', '{a,b}', 'NULL', "'", '\n', '😀', '?', '$1', '"a"'];
        for (const id of hostile) await db.write(put(id));
        for (const id of hostile) expect(await found([id])).toEqual([id]);
        expect(await found(hostile)).toEqual([...hostile].sort());
        expect(await found([])).toEqual([]);
        await fc.assert(
          fc.asyncProperty(fc.array(anyText()), async (texts) => {
            const wanted = texts.filter((text) => hostile.includes(text));
            expect(await found([...texts, '?'])).toEqual([...new Set([...wanted, '?'])].sort());
          }),
          { numRuns: 50 },
        );
      });

      test('finds nothing for a text that cannot be stored', async () => {
        await db.write(put('a'));
        await db.write(put('a\ufffd'));
        expect(await found(['\0', 'a\0', 'a'])).toEqual(['a']);
      });

      test('can contain numbers, and its text does not depend on their count', async () => {
        for (const bytes of [1, 2, 2 ** 40]) await putNumber(`${bytes}`, bytes);
        const sum = (numbers: number[]) =>
          db.read(async (tx) => {
            const { sql, values } = inList(tx, 'bytes', numbers);
            return tx.get(`SELECT COUNT(*) AS n FROM usage WHERE ${sql}`, ...values);
          });
        expect(await sum([2, 2 ** 40, 7])).toEqual({ n: 2 });
        expect(await sum([])).toEqual({ n: 0 });
        const [one, many] = await db.read(async (tx) => [
          inList(tx, 'id', ['a']),
          inList(tx, 'id', ['a', 'b', 'c']),
        ]);
        expect(one?.sql).toBe(many?.sql);
      });
    });

    describe('numbers', () => {
      const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;
      test.each([0, -1, 2 ** 31, 2 ** 32 + 1, -(2 ** 40), MAX_SAFE_INTEGER, MIN_SAFE_INTEGER])(
        '%d comes back exactly and is found',
        async (number) => {
          await putNumber('n', number);
          expect(await numberOf('n')).toBe(number);
          expect(await db.read((tx) => tx.get('SELECT id FROM usage WHERE bytes = ?', number))).toEqual({
            id: 'n',
          });
        },
      );

      test('sums and counts are numbers', async () => {
        await putNumber('a', 2 ** 40);
        await putNumber('b', 2 ** 40 + 1);
        const row = await db.read((tx) =>
          tx.get('SELECT SUM(bytes) AS sum, COUNT(*) AS count, MAX(bytes) AS max FROM usage'),
        );
        expect(row).toEqual({ sum: 2 ** 41 + 1, count: 2, max: 2 ** 40 + 1 });
      });

      test('a stored number that JavaScript cannot represent is rejected when it is read, never rounded', async () => {
        await putNumber('n', Number.MAX_SAFE_INTEGER);
        await db.write((tx) => tx.run('UPDATE usage SET bytes = bytes + 2'));
        await expect(numberOf('n')).rejects.toThrow();
        await db.write((tx) => tx.run('UPDATE usage SET bytes = bytes - 2'));
        expect(await numberOf('n')).toBe(Number.MAX_SAFE_INTEGER);
      });
    });

    describe('close', () => {
      test('finishes the requested writes and rejects later ones', async () => {
        const writes = Array.from({ length: 600 }, (_, n) => db.write(put(`${n}`)));
        const closing = db.close();
        await expect(db.write(put('late'))).rejects.toThrow('closed');
        await Promise.all([...writes, closing]);
        db = await opened.reopen();
        expect(await ids()).toHaveLength(600);
      });

      test('can be called twice', async () => {
        await db.close();
        await db.close();
        db = await opened.reopen();
        expect(await ids()).toEqual([]);
      });
    });

    test('a reader that knows only the location reads what was committed, and cannot write', async () => {
      await db.write(put('a'));
      const reader = await openReader(db.location);
      try {
        expect(await reader.read(idsOf)).toEqual(['a']);
        await db.write(put('b'));
        expect(await reader.read(idsOf)).toEqual(['a', 'b']);
        const writing = reader.read((tx) =>
          tx.get("INSERT INTO deletions (kind, id) VALUES ('user', 'x') RETURNING id"),
        );
        await expect(writing).rejects.toThrow();
      } finally {
        await reader.close();
      }
    });

    test('purge changes nothing that can be read', async () => {
      await db.write(put('a'));
      expect(await db.purge()).toBe(true);
      expect(await ids()).toEqual(['a']);
    });
  });
}
