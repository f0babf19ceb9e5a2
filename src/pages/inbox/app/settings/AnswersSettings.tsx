// Adds, changes and deletes canned answers: those of the member, and with a permission those of the workspace.
import { useEffect, useState } from 'preact/hooks';
import type { CannedAnswer } from '../../../../protocol/inbox.ts';
import { Empty, Loading, Problem } from '../../../ui/Page.tsx';
import { useRequests } from '../../../ui/requests.ts';
import { t } from '../../../ui/texts.ts';
import { missingPermission } from '../api/describe-error.ts';
import type { Inbox } from '../inbox.ts';
import { EntryButtons, FormButtons } from './EntryButtons.tsx';
import { SettingsName } from './SettingsName.tsx';

/** As the server accepts them. */
const limits = { name: 50, text: 4_000 };

export function AnswersSettings({ inbox }: { inbox: Inbox }) {
  const { answers, me } = inbox;
  const requests = useRequests();
  const [changed, setChanged] = useState<string>();
  const all = answers.all.value;
  const load = () => void requests.run(() => answers.load());
  useEffect(load, [answers]);
  const refusal = missingPermission(me.permissions, 'inbox.write');
  const mayShare = me.permissions.includes('inbox.settings');
  return (
    <>
      <section class="section" aria-labelledby="settings-page">
        <SettingsName page="answers" />
        <p class="intro">
          {t(
            'Insert an answer with / in an empty reply. {{visitor.name}}, {{member.name}} and the fields of the visitor’s profile are filled in; after a bar, as in {{city|your city}}, is what stands there if a field is empty.',
          )}
        </p>
        <p class="hint" role="status">
          {all && requests.message}
        </p>
        {!all && (requests.message ? <Problem text={requests.message} onRetry={load} /> : <Loading />)}
        {all?.length === 0 && <Empty>{t('There is no canned answer yet.')}</Empty>}
        <ul class="entries">
          {all?.map((answer) => {
            const isReadOnly = refusal !== undefined || (answer.scope === 'workspace' && !mayShare);
            return (
              <li key={answer.id}>
                {changed === answer.id ? (
                  <AnswerForm
                    answer={answer}
                    isBusy={requests.isBusy}
                    mayShare={false}
                    button={t('Save answer')}
                    onCancel={() => setChanged(undefined)}
                    onSave={async ({ name, text }) => {
                      const isDone = await requests.run(
                        () => answers.update(answer.id, { name, text }),
                        t('The answer was saved.'),
                      );
                      if (isDone) setChanged(undefined);
                    }}
                  />
                ) : (
                  <>
                    <div class="words">
                      <h3 dir="auto">
                        {answer.name}{' '}
                        <span class="hint">{answer.scope === 'own' ? t('mine') : t('of the team')}</span>
                      </h3>
                      <p class="text" dir="auto">
                        {answer.text}
                      </p>
                    </div>
                    {!isReadOnly && (
                      <EntryButtons
                        name={answer.name}
                        isBusy={requests.isBusy}
                        onChange={() => setChanged(answer.id)}
                        onDelete={() =>
                          void requests.run(() => answers.remove(answer.id), t('The answer was deleted.'))
                        }
                      />
                    )}
                  </>
                )}
              </li>
            );
          })}
        </ul>
      </section>
      <section class="section" aria-labelledby="new-answer">
        <h2 id="new-answer">{t('New canned answer')}</h2>
        {refusal ? (
          <p class="intro">{refusal}</p>
        ) : (
          <AnswerForm
            key={`new ${requests.added}`}
            isBusy={requests.isBusy}
            mayShare={mayShare}
            button={t('Add answer')}
            onSave={(answer) => requests.add(() => answers.create(answer), t('The answer was added.'))}
          />
        )}
      </section>
    </>
  );
}

interface FormProps {
  answer?: CannedAnswer;
  isBusy: boolean;
  mayShare: boolean;
  button: string;
  onSave(answer: Pick<CannedAnswer, 'scope' | 'name' | 'text'>): Promise<unknown>;
  onCancel?(): void;
}

function AnswerForm({ answer, isBusy, mayShare, button, onSave, onCancel }: FormProps) {
  const [name, setName] = useState(answer?.name ?? '');
  const [text, setText] = useState(answer?.text ?? '');
  const [isShared, setIsShared] = useState(false);
  const isComplete = name.trim() !== '' && text.trim() !== '';
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy || !isComplete) return;
        void onSave({ scope: isShared ? 'workspace' : 'own', name: name.trim(), text: text.trim() });
      }}
    >
      <label>
        {t('Name')}
        <input
          value={name}
          maxLength={limits.name}
          dir="auto"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label>
        {t('Text')}
        <textarea
          rows={4}
          value={text}
          maxLength={limits.text}
          dir="auto"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {mayShare && (
        <label class="check">
          <input
            type="checkbox"
            checked={isShared}
            onChange={({ currentTarget }) => setIsShared(currentTarget.checked)}
          />
          {t('For all members of the workspace')}
        </label>
      )}
      <FormButtons label={button} isDisabled={isBusy || !isComplete} onCancel={onCancel} />
    </form>
  );
}
