// Tests the invariants of webhooks, listeners, tables and files in a trial: a correct record breaks none, and each way to break
// one is reported.
import { describe, expect, test } from 'vitest';
import type { IndexedFile } from './trial/platform/indexed-files.ts';
import { indexFaults, listenerFaults, tableFaults, webhookFaults } from './trial/platform/invariants.ts';
import type { TableRecord } from './trial/platform/tables.ts';
import type { WebhookReceipt } from './trial/platform/webhooks.ts';

describe('webhooks', () => {
  const receipt = (
    messageId: string | undefined,
    eventId: string,
    isAcknowledged = true,
  ): WebhookReceipt => ({
    eventId,
    conversationId: 'c',
    messageId,
    isAcknowledged,
  });
  const sent = new Map([['c', ['m1', 'm2']]]);
  const start = receipt(undefined, 'e0');

  test('each message that is acknowledged in its order, also after a failure and twice, is correct', () => {
    const receipts = [start, receipt('m1', 'e1', false), receipt('m1', 'e1'), receipt('m2', 'e2')];
    expect(webhookFaults(sent, receipts)).toEqual([]);
    expect(webhookFaults(sent, [...receipts, receipt('m1', 'e1')])).toEqual([]);
    // The request of a message whose response was lost, and that was not acknowledged to its visitor.
    expect(webhookFaults(sent, [...receipts, receipt('m3', 'e3')])).toEqual([]);
  });

  test.each<[string, WebhookReceipt[]]>([
    ['a message never arrives', [start, receipt('m1', 'e1')]],
    ['a message is never acknowledged', [receipt('m1', 'e1'), receipt('m2', 'e2', false)]],
    ['a message has two events', [receipt('m1', 'e1'), receipt('m1', 'e3'), receipt('m2', 'e2')]],
    ['messages arrive in another order', [receipt('m2', 'e2'), receipt('m1', 'e1')]],
  ])('%s: reported', (_, receipts) => {
    expect(webhookFaults(sent, receipts)).toHaveLength(1);
  });
});

describe('listeners', () => {
  const sent = [
    { id: 'm1', conversationId: 'c', text: 'hello' },
    { id: 'm2', conversationId: 'c', text: 'one two', streamId: 's' },
  ];
  const correct = () => ({
    name: 'listener',
    messageIds: ['m0', 'm1', 'm2'],
    shownTexts: new Map([['s', ['one', 'one two']]]),
    completed: new Map([['s', 'm2']]),
    openStreams: new Set<string>(),
    typing: new Map<string, number>(),
  });

  test('everything once, and the beginning of an answer while it is written, is correct', () => {
    expect(listenerFaults(sent, [correct(), correct()])).toEqual([]);
    // A listener whose connection was lost meanwhile.
    expect(listenerFaults(sent, [{ ...correct(), shownTexts: new Map(), completed: new Map() }])).toEqual([]);
  });

  test.each<[string, Partial<ReturnType<typeof correct>>]>([
    ['an answer is missing', { messageIds: ['m0', 'm2'] }],
    ['an answer is received twice', { messageIds: ['m1', 'm2', 'm2'] }],
    ['another text is shown', { shownTexts: new Map([['s', ['one', 'two']]]) }],
    ['a piece is shown twice', { shownTexts: new Map([['s', ['oneone']]]) }],
    ['it ends with another message', { completed: new Map([['s', 'm1']]) }],
    ['an answer does not end', { openStreams: new Set(['s']) }],
    ['somebody types for ever', { typing: new Map([['visitor', 1]]) }],
  ])('%s: reported', (_, change) => {
    expect(listenerFaults(sent, [correct(), { ...correct(), ...change }])).toHaveLength(1);
  });
});

describe('tables', () => {
  const correct = (): TableRecord => ({
    texts: ['row 1', 'row 2'],
    jobs: [{ id: 'j', type: 'import', status: 'completed', reason: undefined }],
    exports: [{ texts: ['row 1'], least: 1 }],
    rows: [
      { text: 'row 1', number: 1, doubled: 2 },
      { text: 'row 2', number: 2, doubled: 4 },
    ],
  });

  test('all rows once, with computed cells, is correct', () => {
    expect(tableFaults(correct())).toEqual([]);
  });

  test.each<[string, Partial<TableRecord>]>([
    ['a row is missing', { texts: ['row 1', 'row 2', 'row 3'] }],
    ['a row is stored twice', { rows: [...correct().rows, { text: 'row 2', number: 2, doubled: 4 }] }],
    ['a job failed', { jobs: [{ id: 'j', type: 'import', status: 'failed', reason: 'why' }] }],
    ['a cell is not computed', { texts: ['row 1'], rows: [{ text: 'row 1', number: 1, doubled: null }] }],
    ['an export has a row twice', { exports: [{ texts: ['row 1', 'row 1'], least: 1 }] }],
    ['an export misses a row', { exports: [{ texts: ['row 1'], least: 2 }] }],
  ])('%s: reported', (_, change) => {
    expect(tableFaults({ ...correct(), ...change })).toHaveLength(1);
  });
});

describe('indexed files', () => {
  const file: IndexedFile = { id: 'f', word: 'w', status: 'indexing_completed', found: ['f'] };

  test('a file that is indexed and found is correct, and others are reported', () => {
    expect(indexFaults([file])).toEqual([]);
    expect(indexFaults([{ ...file, status: 'indexing_failed' }])).toHaveLength(1);
    expect(indexFaults([{ ...file, found: ['g'] }])).toHaveLength(1);
  });
});
