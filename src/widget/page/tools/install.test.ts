// @vitest-environment jsdom
// Tests what remains of the tools when the visitor changes.
import { beforeEach, expect, test } from 'vitest';
import type { SessionInternals } from '../../chat/session/context.ts';
import { installPageTools } from './page-tools.ts';
import { openTab } from './tab.ts';

const reopened = () => openTab('chat', () => true);
let before: string;
beforeEach(() => {
  sessionStorage.clear();
  const tab = reopened();
  before = tab.keepId();
  tab.note('i1', { claim: 'c1', answer: { result: 'a secret' } });
});

/** The session of a page whose visitor is followed by another one, with this conversation in the record. */
function change(conversationId: string | undefined): () => void {
  const internals = {
    widget: {
      storageKey: 'chat',
      signal: new AbortController().signal,
      configuration: { storageLocation: 'localStorage' },
      storage: { read: () => ({ conversationId }) },
      hooks: new Set(),
    },
    client: { with: () => ({}) },
    store: { state: { rows: [] }, observe: () => () => {} },
    getConversation: () => ({ id: 'v1' }),
  } as unknown as SessionInternals;
  installPageTools(internals);
  return () => internals.widget.pageTools?.forget();
}

test.each([
  ['logs out', undefined],
  ['is another one with a conversation', 'v2'],
])('a visitor who %s: the tab has another id, and no calls', (_, conversationId) => {
  change(conversationId)();
  expect(sessionStorage.length).toBe(0);
  expect(reopened().id).not.toBe(before);
});

test('a visitor who was merged keeps the conversation, so its calls stay', () => {
  const forget = change('v1');
  // As the session does, also where the code of the tools is not loaded.
  sessionStorage.clear();
  forget();
  expect(reopened().id).toBe(before);
  expect(reopened().begunOf('i1')?.claim).toBe('c1');
});
