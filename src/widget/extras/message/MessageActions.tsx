// The actions of a message. The bot's: copy it, give feedback, and ask for another answer. The visitor's: edit it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { deleteFeedback, setFeedback } from '../../../client/operations/chat.ts';
import { type Feedback, preview } from '../../../protocol/message.ts';
import { visitorLimits } from '../../../protocol/visitor-limits.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { strings } from '../../media/strings.ts';
import { icons } from '../icons.ts';
import { messageLabel } from './answer-again.ts';
import { EditMessage } from './EditMessage.tsx';
import { InlineDialog } from './InlineDialog.tsx';
import { useRegenerate } from './regenerate.tsx';

/** Milliseconds for which a button shows that it has succeeded. */
const confirmationMs = 2_000;

interface Props extends ViewProps {
  row: Row;
  /** No message follows it. */
  isNewest: boolean;
}

export const drawActions = (props: Props) =>
  props.row.side === 'bot' ? (
    <AnswerActions {...props} />
  ) : (
    props.store.state.configuration.editEnabled && <EditMessage {...props} />
  );

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
        {Icon({ path })}
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
          {Icon({ path: isCopied ? icons.check : icons.copy })}
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

/** Feedback on one message that is being sent, with later changes that are still to be sent. */
interface PendingFeedback {
  /** The last value that the visitor chose. */
  newest: Feedback | undefined;
  /** The value that the server has. */
  confirmed: Feedback | undefined;
  /** Requests are sent one after the other, so that the server receives them in order. */
  last: Promise<void>;
  waiting: number;
}
/** By the key of their row. */
const pending = new Map<string, PendingFeedback>();

/**
 * Sends the visitor's feedback on a message. It is shown at once, and reverted when the server refuses.
 * @param feedback undefined removes the feedback.
 */
function sendFeedback(
  context: SessionContext,
  { key, id = '', feedback: confirmed }: Row,
  feedback?: Feedback,
): void {
  const { store, getSignal, report } = context;
  const client = context.client.with({ setFeedback, deleteFeedback });
  const signal = getSignal();
  const entry = pending.get(key) ?? { newest: feedback, confirmed, last: Promise.resolve(), waiting: 0 };
  pending.set(key, entry);
  entry.newest = feedback;
  entry.waiting++;
  store.setFeedback(key, feedback);
  entry.last = entry.last.then(async () => {
    try {
      if (feedback) await client.setFeedback({ id, ...feedback }, { signal });
      else await client.deleteFeedback({ id }, { signal });
      entry.confirmed = feedback;
    } catch (error) {
      if (!signal.aborted) report(error);
    } finally {
      entry.waiting--;
      if (entry.waiting === 0) {
        pending.delete(key);
        if (!signal.aborted) store.setFeedback(key, entry.confirmed);
      }
    }
  });
}

/** The feedback on a message: the visitor's last value, not an older one that the server still reports. */
function currentFeedback({ key, feedback }: Row): Feedback | undefined {
  return pending.has(key) ? pending.get(key)?.newest : feedback;
}

/**
 * Copies text to the clipboard, also without the clipboard API (http pages, frames without permission).
 * @param near an element next to which a temporary text box is inserted, in the same shadow root.
 */
async function copyText(text: string, near: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = document.createElement('textarea');
    box.value = text;
    box.className = 'visually-hidden';
    near.parentNode?.insertBefore(box, near.nextSibling);
    box.select();
    const isDone = document.execCommand('copy');
    box.remove();
    (near as HTMLElement).focus();
    if (!isDone) throw new Error('The browser does not copy here.');
  }
}
