// The row of buttons below the text box: files, emoji, dictation, voice messages.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../../chat/view.ts';
import { useEscape } from '../../dialog-keys.ts';
import { Icon } from '../../icon.tsx';
import { AttachButton } from '../attachments/AttachButton.tsx';
import type * as EmojiBundle from '../emoji/main.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import { canDictate, DictationButton } from './DictationButton.tsx';
import { recordingType } from './recording-type.ts';
import type { ComposerToolProps, ToolNote } from './tool-props.ts';
import { VoiceButton } from './VoiceButton.tsx';

/** The component of the row; undefined if a single row of text box and buttons is enough. */
export const composerTools = (props: ViewProps) => {
  const { emojiPicker, dictation, voiceMessages } = props.store.state.configuration;
  const hasTools = emojiPicker || (dictation && canDictate()) || (voiceMessages && recordingType(props));
  return hasTools ? ComposerTools : undefined;
};

const loadVoice = () => import('../voice/main.ts');

let emojiBundle: typeof EmojiBundle | undefined;

function ComposerTools(props: ComposerToolProps) {
  const { store, widget, isOff, box } = props;
  const { isOpen, configuration } = store.state;
  const { emojiPicker, dictation, voiceMessages } = configuration;
  const type = voiceMessages && recordingType(props);
  const button = useRef<HTMLButtonElement>(null);
  const [hasPicker, setHasPicker] = useState(false);
  const [note, setNote] = useState<ToolNote>();
  const [isRecording, setRecording] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!note?.isProblem || !current) return;
    // A visitor who writes has read it.
    const end = new AbortController();
    current.addEventListener('input', () => setNote(undefined), { signal: end.signal });
    return () => end.abort();
  }, [note]);
  useEffect(() => {
    if (isOff || !isOpen || !emojiPicker || isRecording) setHasPicker(false);
  }, [isOff, isOpen, emojiPicker, isRecording]);
  useEscape(
    () => box.current?.form,
    () => {
      button.current?.focus();
      setHasPicker(false);
    },
    hasPicker,
  );

  const toggle = async () => {
    if (hasPicker) return setHasPicker(false);
    try {
      emojiBundle ??= await import('../emoji/main.tsx');
      widget.adopt('emoji', emojiBundle.css);
      setHasPicker(true);
    } catch {
      // Not loaded: another click tries again.
    }
  };
  const Picker = hasPicker && emojiBundle?.EmojiPicker;
  return (
    <>
      {Picker && <Picker {...props} onClose={() => setHasPicker(false)} />}
      {note && (
        <p class="tool-note" data-problem={note.isProblem} role={note.isProblem ? 'alert' : 'status'}>
          {note.text()}
        </p>
      )}
      {store.canAttach() && <AttachButton {...props} />}
      {emojiPicker && (
        <button
          ref={button}
          type="button"
          class="tool"
          part="emoji"
          aria-label={strings.emoji}
          title={strings.emoji}
          aria-expanded={!!Picker}
          disabled={isOff}
          onClick={toggle}
        >
          <Icon path={icons.emoji} />
        </button>
      )}
      {dictation && canDictate() && (
        // One of the two at a time has the microphone.
        <DictationButton {...props} isOff={isOff || isRecording} load={loadVoice} setNote={setNote} />
      )}
      {type && (
        <VoiceButton
          {...props}
          type={type}
          load={loadVoice}
          setNote={setNote}
          isBusy={isRecording}
          setBusy={setRecording}
        />
      )}
    </>
  );
}
