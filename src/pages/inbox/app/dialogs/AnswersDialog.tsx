// Chooses a canned answer, and puts it into the reply with its variables filled in.
import { useEffect, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { t } from '../../../ui/texts.ts';
import { describeError } from '../api/describe-error.ts';
import { focusReply } from '../components/focus.ts';
import type { Inbox } from '../inbox.ts';
import { fillAnswer, findAnswers, valuesOf } from '../state/canned-answers.ts';
import { dataOf } from '../state/lists.ts';

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
  const matches = findAnswers(all ?? [], filter);
  const visitor = store.conversations.value.get(id)?.visitor;
  const lookUp = valuesOf({
    // With the data, of the same time.
    visitorName: (visitor ?? row.visitor).name,
    memberName: me.displayName,
    page: store.pageOf(id)?.url,
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
    <Dialog title={t('Canned answers')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (matches[0]) insert(matches[0].text);
        }}
      >
        <input
          type="search"
          aria-label={t('Find a canned answer')}
          placeholder={t('Find a canned answer')}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </form>
      <ul class="choices">
        {matches.map((answer) => (
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
            ? t('Loading…')
            : matches.length === 0 &&
              (all.length === 0 ? t('There is no canned answer yet.') : t('None is found.')))}
      </p>
      <button
        type="button"
        onClick={() => {
          onClose();
          router.go({ ...router.route.peek(), isVisitorShown: false, settings: 'answers' });
        }}
      >
        {t('Add and change answers')}
      </button>
    </Dialog>
  );
}
