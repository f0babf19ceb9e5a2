// Invariants of the stored rows of a conversation that people handle, whatever happened at the same time.
import { expect } from 'vitest';
import { byColumn } from '../testing.ts';
import type { Inbox } from './testing.ts';

type Row = Record<string, unknown>;

/**
 * Checks that exactly one person answers or nobody, that every handoff except for the open one has an end, that revisions and
 * sequence numbers have no holes, and that the bot was silent while it was not responsible. `hidden`: how many changes visitors
 * did not see, such as snoozing, which take no sequence number.
 */
export async function checkInvariants(
  { server }: Pick<Inbox, 'server'>,
  conversationId: string,
  hidden = 0,
): Promise<void> {
  const read = (sql: string) =>
    server.db.read(async (tx) => (await tx.all<Row>(sql, conversationId)).map(byColumn));
  const [handling] = await read('SELECT * FROM handlings WHERE conversation_id = ?');
  if (!handling) throw new Error('Nobody was ever asked for.');

  const open = await read('SELECT * FROM assignments WHERE conversation_id = ? AND to_at IS NULL');
  const joined = await read(
    `SELECT u.id FROM participants p JOIN users u ON u.id = p.user_id
     WHERE p.conversation_id = ? AND u.member_id IS NOT NULL`,
  );
  const isAnswered = handling.person_id !== null;
  expect(open.map((row) => row.member_id)).toEqual(isAnswered ? [handling.assignee_id] : []);
  expect(joined.map(({ id }) => id)).toEqual(isAnswered ? [handling.person_id] : []);
  if (handling.state === 'assigned') expect(isAnswered).toBe(true);
  if (['waiting', 'bot', 'closed'].includes(String(handling.state))) expect(isAnswered).toBe(false);

  const isOpen = ['waiting', 'assigned', 'snoozed'].includes(String(handling.state));
  expect(handling.is_open).toBe(isOpen ? 1 : 0);
  const endless = await read('SELECT id FROM handoffs WHERE conversation_id = ? AND closed_at IS NULL');
  expect(endless.map(({ id }) => id)).toEqual(isOpen ? [handling.handoff_id] : []);

  const signals = await read('SELECT seq, type, data FROM signals WHERE conversation_id = ? ORDER BY seq');
  const written = await read(
    'SELECT seq, is_bot, metadata FROM messages WHERE conversation_id = ? ORDER BY seq',
  );
  const numbers = [...signals, ...written].map(({ seq }) => Number(seq)).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  const changes = signals
    .filter(({ type }) => type === 'handling_changed')
    .map(({ seq, data }) => ({ seq: Number(seq), ...JSON.parse(String(data)) }));
  const revisions = changes.map(({ revision }) => revision);
  if (hidden === 0) expect(revisions).toEqual(revisions.map((_, n) => n + 1));
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  expect(Number(handling.revision) - revisions.length).toBeLessThanOrEqual(hidden);
  expect(Number(handling.revision)).toBeGreaterThanOrEqual(revisions.length);

  for (const { seq, is_bot: isBot, metadata } of written) {
    // Of a stopped stream, the visitor has read everything before a person took over; it is stored just after.
    if (isBot !== 1 || JSON.parse(String(metadata ?? '{}')).stopped) continue;
    const last = changes.findLast((change) => change.seq < Number(seq));
    expect([undefined, 'bot', 'closed']).toContain(last?.state);
  }
}
