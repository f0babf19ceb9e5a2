// The actions of a message. The bot's: copy it, give feedback, and ask for another answer. The visitor's: edit it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Feedback, preview } from '../../../protocol/message.ts';
import { visitorLimits } from '../../../protocol/visitor-limits.ts';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import { copyText } from './clipboard.ts';
import { EditMessage } from './EditMessage.tsx';
import { currentFeedback, sendFeedback } from './feedback.ts';
import { InlineDialog } from './InlineDialog.tsx';
import { messageLabel } from './message-label.ts';
import { useRegenerate } from './regenerate.tsx';

/** Milliseconds for which a button shows that it has succeeded. */
const confirmationMs = 2_000;

interface Props extends ViewProps {
  row: Row;
  /** No message follows it. */
  isNewest: boolean;
}

export const MessageActions = (props: Props) =>
  props.row.side === 'bot' ? <AnswerActions {...props} /> : <EditMessage {...props} />;

function AnswerActions(props: Props) {
  const { store, session, widget, row } = props;
  const [isCopied, setIsCopied] = useState(false);
  const [isCommenting, setIsCommenting] = useState(false);
  const regenerate = useRegenerate(props);
  const text = preview(row.payload);
  // The server refuses feedback on messages of people and of other participants.
  const hasFeedback =
    store.state.configuration.feedbackEnabled && store.has('feedback') && !store.personOf(row);
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
        aria-label={`${label}: ${messageLabel(text)}`}
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
          aria-label={`${isCopied ? strings.copied : strings.copy}: ${messageLabel(text)}`}
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
        {regenerate?.button}
      </div>
      {regenerate?.dialog}
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

/** The form that asks what was wrong. The feedback itself was already sent, so the visitor may leave the form. */
function Comment({ initial, onDone }: { initial: string; onDone(comment: string): void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  return (
    <InlineDialog
      label={strings.comment}
      submit={strings.sendComment}
      cancel={strings.skip}
      onDone={(isSubmitted) => {
        const row = box.current?.closest('.row');
        onDone(isSubmitted ? (box.current?.value.trim() ?? '') : '');
        row?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
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
    </InlineDialog>
  );
}
