// The actions of a bot's message: copy it, and give feedback.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Feedback, preview } from '../../../protocol/message.ts';
import { visitorLimits } from '../../../protocol/visitor-limits.ts';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { trapFocus } from '../accessibility/focus-trap.ts';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import { copyText } from './clipboard.ts';
import { currentFeedback, sendFeedback } from './feedback.ts';

/** Milliseconds for which a button shows that it has succeeded. */
const confirmationMs = 2_000;

export function MessageActions({ store, session, widget, row }: ViewProps & { row: Row }) {
  const [isCopied, setIsCopied] = useState(false);
  const [isCommenting, setIsCommenting] = useState(false);
  const text = preview(row.payload);
  const hasFeedback = store.state.configuration.feedbackEnabled && store.has('feedback');
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => {
      setIsCopied(false);
    }, confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const give = (feedback: Feedback | undefined) => sendFeedback(session.context, row, feedback);
  const vote = (value: Feedback['value'], label: string, path: string) => {
    const isGiven = currentFeedback(row)?.value === value;
    return (
      <button
        type="button"
        class="act"
        aria-label={`${label}: ${about(text)}`}
        title={label}
        aria-pressed={isGiven}
        onClick={() => {
          give(isGiven ? undefined : { value });
          widget.emit('feedback', { messageId: row.id ?? '', ...(!isGiven && { value }) });
          setIsCommenting(value === 'negative' && !isGiven);
        }}
      >
        <Icon path={path} />
      </button>
    );
  };
  return (
    <>
      <div class="acts" part="actions">
        <button
          type="button"
          class="act"
          aria-label={`${isCopied ? strings.copied : strings.copy}: ${about(text)}`}
          title={strings.copy}
          onClick={({ currentTarget }) =>
            void copyText(text, currentTarget).then(
              () => {
                setIsCopied(true);
                session.context.announce(strings.copied);
              },
              // Copying has failed, so no confirmation is shown.
              () => {},
            )
          }
        >
          <Icon path={isCopied ? icons.check : icons.copy} />
        </button>
        {hasFeedback && vote('positive', strings.good, icons.good)}
        {hasFeedback && vote('negative', strings.bad, icons.bad)}
      </div>
      {hasFeedback && isCommenting && (
        <Comment
          initial={row.feedback?.comment ?? ''}
          onDone={(comment) => {
            setIsCommenting(false);
            if (!comment) return;
            give({ value: 'negative', comment });
            session.context.announce(strings.thanks);
          }}
        />
      )}
    </>
  );
}

/** The beginning of a message, which distinguishes its buttons for screen readers. */
const about = (text: string) => (text.split('\n')[0] ?? '').slice(0, 40);

/** The form that asks what was wrong. The feedback itself was already sent, so the visitor may leave the form. */
function Comment({ initial, onDone }: { initial: string; onDone(comment: string): void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  // Before the next event: an Escape that follows at once must not reach the window.
  useLayoutEffect(() => box.current?.focus(), []);
  const done = (comment: string) => {
    const row = box.current?.closest('.row');
    onDone(comment.trim());
    row?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  };
  return (
    <div
      class="comment"
      part="comment"
      role="dialog"
      aria-label={strings.comment}
      onKeyDown={(event) => {
        trapFocus(event, event.currentTarget);
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        done('');
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done(box.current?.value ?? '');
        }}
      >
        <textarea
          ref={box}
          class="comment-input"
          dir="auto"
          rows={2}
          maxLength={visitorLimits.feedbackComment}
          aria-label={strings.comment}
          placeholder={strings.comment}
          defaultValue={initial}
        />
        <div class="choices">
          <button type="button" class="button" onClick={() => done('')}>
            {strings.skip}
          </button>
          <button type="submit" class="button go">
            {strings.sendComment}
          </button>
        </div>
      </form>
    </div>
  );
}
