// The button that asks for another answer in place of the newest one, or after one that failed.
import { type ComponentChild, createRef } from 'preact';
import { useState } from 'preact/hooks';
import { preview } from '../../../protocol/message.ts';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { strings } from '../../media/strings.ts';
import { icons } from '../icons.ts';
import { answerAgain, askAgain, hasActed, messageLabel } from './answer-again.ts';
import { InlineDialog } from './InlineDialog.tsx';

/** Returns the button, and the question before it has an effect; undefined where there is no other answer to ask for. */
export function useRegenerate(
  props: ViewProps & { row: Row; isNewest: boolean },
): { button: ComponentChild; dialog: ComponentChild } | undefined {
  const { store, session, row, isNewest } = props;
  const [isAsking, setIsAsking] = useState(false);
  const button = createRef<HTMLButtonElement>();
  const regenerate = () => answerAgain(session, button.current, () => askAgain(props, row.key));
  if (isNewest && row.error) {
    return {
      button: (
        <button ref={button} type="button" class="again" onClick={regenerate}>
          {strings.retry}
        </button>
      ),
      dialog: undefined,
    };
  }
  if (!isNewest || !store.state.configuration.regenerateEnabled) return undefined;
  // A greeting of the bot answers nothing.
  const hasQuestion = store.state.outline.some(({ side, id }) => side === 'visitor' && id);
  if (!hasQuestion || !store.has('supersedes')) return undefined;
  return {
    button: (
      <button
        ref={button}
        type="button"
        class="act"
        aria-label={`${strings.regenerate}: ${messageLabel(preview(row.payload))}`}
        title={strings.regenerate}
        onClick={() => (hasActed(row) ? setIsAsking(true) : regenerate())}
      >
        <Icon path={icons.regenerate} />
      </button>
    ),
    dialog: isAsking && (
      <InlineDialog
        label={strings.regenerate}
        submit={strings.regenerate}
        cancel={strings.cancel}
        onDone={(isSubmitted) => {
          setIsAsking(false);
          if (isSubmitted) regenerate();
          else button.current?.focus();
        }}
      >
        <p class="comment-text">{strings.notUndone}</p>
      </InlineDialog>
    ),
  };
}
