// The button with which visitors edit their newest message, and the form.
import { useRef, useState } from 'preact/hooks';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { strings } from '../../media/strings.ts';
import { icons } from '../icons.ts';
import { answerAgain, hasActed, messageLabel } from './answer-again.ts';
import { InlineDialog } from './InlineDialog.tsx';

export function EditMessage({ store, session, row }: ViewProps & { row: Row }) {
  const [isEditing, setIsEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const { payload } = row;
  if (payload.type !== 'text' || !store.has('supersedes')) return null;
  const { outline } = store.state;
  if (outline.findLast(({ side }) => side === 'visitor')?.key !== row.key) return null;
  return (
    <>
      <div class="acts" part="actions">
        <button
          ref={button}
          type="button"
          class="act"
          aria-label={`${strings.edit}: ${messageLabel(payload.text)}`}
          title={strings.edit}
          aria-expanded={isEditing}
          onClick={() => setIsEditing(true)}
        >
          <Icon path={icons.edit} />
        </button>
      </div>
      {isEditing && (
        <InlineDialog
          label={strings.edit}
          submit={strings.sendAnswer}
          cancel={strings.cancel}
          onDone={(isSubmitted) => {
            const text = box.current?.value.trim();
            setIsEditing(false);
            if (isSubmitted && text && text !== payload.text)
              // A message that fails stays in the transcript with its text.
              answerAgain(session, button.current, () =>
                session.send({ type: 'text', text }, row.answers, row.id).catch(() => {}),
              );
            else button.current?.focus();
          }}
        >
          <textarea
            ref={box}
            class="comment-input"
            dir="auto"
            rows={3}
            aria-label={strings.edit}
            defaultValue={payload.text}
          />
          {outline.slice(outline.findIndex(({ key }) => key === row.key)).some(hasActed) && (
            <p class="comment-text">{strings.notUndone}</p>
          )}
        </InlineDialog>
      )}
    </>
  );
}
