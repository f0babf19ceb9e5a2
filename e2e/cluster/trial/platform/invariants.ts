// The invariants of a trial for webhook bots, tables and files.
import type { IndexedFile } from './indexed-files.ts';
import type { Listener } from './listener.ts';
import type { TableRecord } from './tables.ts';
import type { BotMessage, WebhookReceipt } from './webhooks.ts';

/** Every message of a visitor reaches the webhook and is acknowledged, with one event id, and in its order. */
export function webhookFaults(
  sent: ReadonlyMap<string, readonly string[]>,
  receipts: readonly WebhookReceipt[],
): string[] {
  const faults: string[] = [];
  for (const [conversationId, messageIds] of sent) {
    const here = receipts.filter((receipt) => receipt.conversationId === conversationId);
    for (const messageId of messageIds) {
      const attempts = here.filter((receipt) => receipt.messageId === messageId);
      const ids = new Set(attempts.map(({ eventId }) => eventId));
      if (!attempts.some(({ isAcknowledged }) => isAcknowledged)) {
        faults.push(`${messageId}: no webhook was acknowledged, of ${attempts.length} attempts`);
      } else if (ids.size > 1) faults.push(`${messageId}: its webhooks have ${ids.size} ids`);
    }
    const first = [...new Set(here.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId])))];
    const expected = messageIds.filter((id) => first.includes(id));
    const received = first.filter((id) => messageIds.includes(id));
    if (expected.join() !== received.join()) faults.push(`${conversationId}: webhooks had another order`);
  }
  return faults;
}

type Shown = Pick<Listener, 'name' | 'messageIds' | 'shownTexts' | 'completed' | 'openStreams' | 'typing'>;

/** Each answer of the bot arrives once at each listener; while it is written, its beginning is shown, and it ends. Nobody types at the end. */
export function listenerFaults(sent: readonly BotMessage[], listeners: readonly Shown[]): string[] {
  const faults: string[] = [];
  for (const { name, messageIds, shownTexts, completed, openStreams, typing } of listeners) {
    for (const { id, text, streamId } of sent) {
      const count = messageIds.filter((one) => one === id).length;
      if (count !== 1) faults.push(`${name}: received ${id} ${count} times`);
      if (streamId === undefined) continue;
      const wrong = shownTexts.get(streamId)?.find((shown) => !text.startsWith(shown));
      if (wrong !== undefined)
        faults.push(`${name}: ${streamId} was shown as “${wrong}” instead of “${text}”`);
      const end = completed.get(streamId);
      if (end !== undefined && end !== id)
        faults.push(`${name}: ${streamId} ended with ${end} instead of ${id}`);
    }
    for (const id of openStreams) faults.push(`${name}: ${id} has not ended`);
    for (const id of typing.keys()) faults.push(`${name}: ${id} still types`);
  }
  return faults;
}

/** Jobs end once: no row is missing or doubled, in the table and in exports, and cells are computed. */
export function tableFaults({ texts, jobs, exports, rows }: TableRecord): string[] {
  const faults = jobs
    .filter(({ status }) => status !== 'completed')
    .map(({ id, type, status, reason }) => `${type} ${id} ${status}: ${reason}`);
  const stored = rows.map(({ text }) => text);
  const missing = texts.filter((text) => !stored.includes(text));
  if (missing.length > 0) faults.push(`${missing.length} rows are missing, such as ${missing[0]}`);
  if (new Set(stored).size !== stored.length) {
    faults.push(`${stored.length - new Set(stored).size} rows are stored twice`);
  }
  const wrong = rows.filter(({ number, doubled }) => doubled !== 2 * number);
  if (wrong.length > 0)
    faults.push(`${wrong.length} cells are not computed, such as ${JSON.stringify(wrong[0])}`);
  for (const [n, { texts: exported, least }] of exports.entries()) {
    if (new Set(exported).size !== exported.length) faults.push(`export ${n} has rows twice`);
    if (exported.length < least) faults.push(`export ${n} has ${exported.length} of ${least} rows`);
  }
  return faults;
}

/** Each file is indexed, and found by its word alone. */
export const indexFaults = (files: readonly IndexedFile[]): string[] =>
  files.flatMap(({ id, word, status, reason, found }) => {
    if (status !== 'indexing_completed') return [`${id}: ${status} ${reason ?? ''}`];
    return found.includes(id) ? [] : [`${id}: a search for ${word} finds ${found.length} others`];
  });
