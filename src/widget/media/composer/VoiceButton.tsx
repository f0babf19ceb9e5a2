// The button that records a voice message. The recording takes the place of the text box until it is sent or discarded.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useEscape } from '../../dialog-keys.ts';
import { Icon } from '../../icon.tsx';
import { fileLimits } from '../attachments/file-limits.ts';
import { sendFile } from '../attachments/uploads.ts';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import type * as VoiceBundle from '../voice/main.ts';
import type { Recording } from '../voice/recording.ts';
import type { RecordingType } from './recording-type.ts';
import { type ComposerToolProps, isConversationHidden, type ToolNote } from './tool-props.ts';

interface Props extends ComposerToolProps {
  type: RecordingType;
  load(): Promise<typeof VoiceBundle>;
  /** Shows a text above the buttons, or removes it. */
  setNote(note: ToolNote | undefined): void;
  /** The microphone is in use, or was asked for. */
  isBusy: boolean;
  setBusy(isBusy: boolean): void;
}

export function VoiceButton({
  type,
  box,
  widget,
  store,
  session,
  isOff,
  load,
  setNote,
  isBusy,
  setBusy,
}: Props) {
  const button = useRef<HTMLButtonElement>(null);
  /** Ends the recording, and the question for the microphone, without a message. */
  const attempt = useRef<AbortController | undefined>(undefined);
  const [active, setActive] = useState<{ recording: Recording; bundle: typeof VoiceBundle }>();
  const mustEnd = isConversationHidden(store) || isOff;

  const discard = () => attempt.current?.abort();
  // A visitor who cannot see the chat does not expect that it listens.
  useEffect(() => {
    if (mustEnd) discard();
  }, [mustEnd]);
  useEffect(() => discard, []);
  useEscape(() => box.current?.form, discard, isBusy);

  /** Shows a draft of the page or of another window. A new composer would end the recording. */
  const takeDraft = () => {
    const { current } = box;
    if (!current) return;
    current.value = widget.storage.read().draft ?? '';
    // The composer reads its text then. An `input` event would say that the visitor writes.
    current.dispatchEvent(new Event('focus'));
  };
  const record = async () => {
    // The visitor is asked for the permission already.
    if (attempt.current) return;
    const controller = new AbortController();
    const { signal } = controller;
    attempt.current = controller;
    const end = () => {
      attempt.current = session.context.takeDraft = undefined;
      setActive(undefined);
      setBusy(false);
    };
    signal.addEventListener('abort', end);
    // A page that the visitor does not see must not listen; Safari tells of leaving a page by `pagehide` alone.
    document.addEventListener('visibilitychange', discard, { signal });
    addEventListener('pagehide', discard, { signal });
    // Another conversation or another visitor.
    session.context.getSignal().addEventListener('abort', discard, { signal });
    session.context.takeDraft = takeDraft;
    setNote(undefined);
    setBusy(true);
    let bundle: typeof VoiceBundle | undefined;
    try {
      bundle = await load();
      if (signal.aborted) return;
      widget.adopt('voice', bundle.css);
      const maxBytes = fileLimits(session.context).bytes;
      const recording = await bundle.startRecording({ mimeType: type.mimeType, maxBytes, signal });
      setActive({ recording, bundle });
    } catch {
      if (signal.aborted) return;
      discard();
      // Not loaded: another click tries again.
      if (bundle) showProblem(bundle, 'noMicrophone');
    }
  };
  const showProblem = ({ strings: texts }: typeof VoiceBundle, name: 'noMicrophone' | 'noSpeech') =>
    setNote({ text: () => texts[name], isProblem: true });

  const send = (content: Blob, title: string, bundle: typeof VoiceBundle) => {
    discard();
    if (content.size === 0) return showProblem(bundle, 'noSpeech');
    const { name, type: mediaType } = type.file;
    const file = new File([content], name, { type: mediaType });
    sendFile(session.context, file, title, (payload) => {
      // A failed message stays in the transcript.
      session.send(payload).catch(() => {});
    });
  };
  return (
    <>
      {active && (
        <active.bundle.RecordingBar
          recording={active.recording}
          form={box.current?.form}
          labels={strings}
          announce={session.context.announce}
          onDiscard={discard}
          onSend={(content, title) => send(content, title, active.bundle)}
          focusButton={() => {
            // The bot may have asked a question meanwhile, which must be answered with a button.
            const { current } = button;
            (current?.disabled ? box.current : current)?.focus();
          }}
        />
      )}
      <button
        ref={button}
        type="button"
        class="tool"
        part="voice"
        aria-label={strings.record}
        title={strings.record}
        aria-pressed={isBusy}
        disabled={isOff}
        onClick={record}
      >
        <Icon path={icons.voice} />
      </button>
    </>
  );
}
