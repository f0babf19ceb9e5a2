// @vitest-environment jsdom
// Tests what becomes of the text of an edit when its note leaves the transcript.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { createDrafts } from '../state/drafts.ts';
import { createStore } from '../state/store.ts';
import { noteOf } from '../state/testing.ts';
import { NoteEntry } from './NoteEntry.tsx';

const me = { memberId: 'ben', permissions: ['inbox.read', 'inbox.write'] };
const note = noteOf('note', 'a', 1);
const page = { messages: [], notes: [note], activities: [], ratings: [], seq: 1 };

/** The transcript of the conversation `a`, with its notes only. */
function Transcript({ inbox }: { inbox: Inbox }) {
  const notes = inbox.store.conversations.value.get('a')?.timeline.notes ?? new Map();
  return (
    <ol>
      {[...notes.values()].map((note) => (
        <NoteEntry key={note.id} inbox={inbox} note={note} />
      ))}
    </ol>
  );
}

const root = useRoot();

/** A member edits the note. */
async function edit() {
  const store = createStore(me);
  store.receiveTimeline('a', page);
  const drafts = createDrafts('ben', undefined);
  drafts.setText('note', 'edit', 'Changed text');
  const announceNow = vi.fn();
  const inbox = {
    ...{ me, store, drafts },
    team: { colleagues: { value: [] } },
    actions: { isPending: () => false },
    announcer: { announceNow },
  } as unknown as Inbox;
  await act(() => render(<Transcript inbox={inbox} />, root()));
  expect(root().querySelector('textarea')?.value).toBe('Changed text');
  return { store, announceNow, texts: () => [drafts.textOf('a', 'note'), drafts.textOf('note', 'edit')] };
}

test.each([
  ['by a signal', (store: ReturnType<typeof createStore>) => store.removeEntry('a', 'note')],
  [
    'during a cut, so that the next page does not contain it',
    (store: ReturnType<typeof createStore>) =>
      store.receiveTimeline('a', { ...page, notes: [], seq: 2 }, { isWhole: true }),
  ],
])('the text of an edit is in the box for notes after the note was deleted %s', async (_, remove) => {
  const { store, announceNow, texts } = await edit();
  await act(() => remove(store));
  expect(root().querySelector('textarea')).toBeNull();
  expect(texts()).toEqual(['Changed text', '']);
  expect(announceNow).toHaveBeenCalledTimes(1);
});

test.each([
  ['the member moves to another conversation', () => render(null, root())],
  [
    'the member may not see it any more',
    (store: ReturnType<typeof createStore>) => store.receiveHidden(['a']),
  ],
  ['it is not found', (store: ReturnType<typeof createStore>) => store.removeConversation('a')],
])('the text of an edit stays with its note when %s', async (_, leave) => {
  const { store, announceNow, texts } = await edit();
  await act(() => leave(store));
  expect(texts()).toEqual(['', 'Changed text']);
  expect(announceNow).not.toHaveBeenCalled();
});
