// Takes the place of the text box during a recording: how long it is, and the buttons that discard and send it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { language } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import type { Recording } from './recording.ts';
import { strings } from './strings.ts';

/** From Lucide (ISC). */
const icons = {
  discard: 'M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
  send: 'm5 12 7-7 7 7M12 19V5',
};

interface Props {
  recording: Recording;
  form: HTMLFormElement | undefined | null;
  /** The names of the buttons, from the bundle of the composer. */
  labels: { discard: string; send: string };
  /** Announces a text to screen readers. */
  announce(text: string): void;
  onDiscard(): void;
  /** `title`: what the message is called. */
  onSend(content: Blob, title: string): void;
  /** Moves the focus to the button that has begun the recording. */
  focusButton(): void;
}

export function RecordingBar({ recording, form, labels, announce, onDiscard, onSend, focusButton }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  const isSending = useRef(false);
  const [isEnded, setIsEnded] = useState(false);
  const [elapsedMs, setElapsedMs] = useState(0);
  /** For example `00:12`, in the digits of the language. */
  const duration = useMemo(
    () => new Intl.DateTimeFormat(language.locale, { minute: '2-digit', second: '2-digit', timeZone: 'UTC' }),
    [language.locale],
  );

  // Before the next event: the text box and its buttons must not get it any more.
  useLayoutEffect(() => {
    const { current } = bar;
    // The style sheet hides the rest of the form.
    if (form) form.dataset.recording = '';
    send.current?.focus();
    return () => {
      const hadFocus = current?.matches(':focus-within');
      if (form) delete form.dataset.recording;
      if (hadFocus) focusButton();
    };
  }, []);
  useEffect(() => {
    announce(strings.recording);
    const show = () => setElapsedMs(recording.elapsedMs());
    const timer = setInterval(show, 250);
    let isMounted = true;
    void recording.ended.then(() => {
      clearInterval(timer);
      if (!isMounted || isSending.current) return;
      show();
      setIsEnded(true);
      announce(strings.recordingEnded);
    });
    return () => {
      isMounted = false;
      clearInterval(timer);
    };
  }, [recording]);

  /** Not for the second half of a double click on the button that was here before. */
  const onClick = (act: () => void) => (event: MouseEvent) => {
    if (event.detail < 2) act();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: ignores a key that is held down since before
    <div
      ref={bar}
      class="recording"
      part="recording"
      data-ended={isEnded}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      <button
        type="button"
        class="tool"
        aria-label={labels.discard}
        title={labels.discard}
        onClick={onClick(onDiscard)}
      >
        <Icon path={icons.discard} />
      </button>
      <p>{isEnded ? strings.recordingEnded : strings.recording}</p>
      <span role="timer">{duration.format(elapsedMs)}</span>
      <button
        ref={send}
        type="button"
        class="send"
        aria-label={labels.send}
        title={labels.send}
        onClick={onClick(() => {
          if (isSending.current) return;
          isSending.current = true;
          recording.stop();
          void recording.ended.then((content) => onSend(content, strings.voiceMessage));
        })}
      >
        <Icon path={icons.send} />
      </button>
    </div>
  );
}
