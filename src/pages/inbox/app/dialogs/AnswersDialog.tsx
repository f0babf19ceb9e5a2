// Chooses a canned answer, and puts it into the reply with its variables filled in.
import { useEffect, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { describeError } from '../api/describe-error.ts';
import { focusReply } from '../components/focus.ts';
import type { Inbox } from '../inbox.ts';
import { fillAnswer, findAnswers, valuesOf } from '../state/canned-answers.ts';
import { dataOf } from '../state/lists.ts';
import { Dialog } from './Dialog.tsx';

interface Props {
  inbox: Inbox;
  row: InboxRow;
  onClose(): void;
}

export function AnswersDialog({ inbox, row, onClose }: Props) {
  const { answers, drafts, store, me, router } = inbox;
  const [filter, setFilter] = useState('');
  const [problem, setProblem] = useState('');
  const id = row.conversationId;
  useEffect(() => {
    answers.load().catch((error) => setProblem(describeError(error)));
  }, [answers]);
  const all = answers.all.value;
  const found = findAnswers(all ?? [], filter);
  const visitor = store.conversations.value.get(id)?.visitor;
  const lookUp = valuesOf({
    // With the data, of the same time.
    visitorName: (visitor ?? row.visitor).name,
    memberName: me.displayName,
    fields: dataOf(visitor?.profile),
  });
  const insert = (text: string) => {
    onClose();
    const before = drafts.textOf(id, 'reply').trimEnd();
    const filled = fillAnswer(text, lookUp);
    drafts.setMode(id, 'reply');
    drafts.setText(id, 'reply', before ? `${before}\n${filled}` : filled);
    focusReply();
  };
  return (
    <Dialog title="Canned answers" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0]) insert(found[0].text);
        }}
      >
        <input
          type="search"
          aria-label="Find a canned answer"
          placeholder="Find a canned answer"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </form>
      <ul class="choices">
        {found.map((answer) => (
          <li key={answer.id}>
            <button type="button" onClick={() => insert(answer.text)}>
              <span dir="auto">
                {answer.name}
                <span class="hint clipped" dir="auto">
                  {fillAnswer(answer.text, lookUp)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {problem ||
          (!all
            ? 'Loading…'
            : found.length === 0 && (all.length === 0 ? 'There is no canned answer yet.' : 'None is found.'))}
      </p>
      <button
        type="button"
        onClick={() => {
          onClose();
          router.go({ ...router.route.peek(), isVisitorShown: false, settings: 'answers' });
        }}
      >
        Add and change answers
      </button>
    </Dialog>
  );
}
