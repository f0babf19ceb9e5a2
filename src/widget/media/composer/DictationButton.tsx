// The button that starts and ends the dictation.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useEscape } from '../../dialog-keys.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import type { Dictation } from '../voice/dictation.ts';
import type * as VoiceBundle from '../voice/main.ts';
import { type ComposerToolProps, isConversationHidden, type ToolNote } from './tool-props.ts';

/** Whether the browser has an interface for it. */
export const canDictate = (): boolean => 'SpeechRecognition' in self || 'webkitSpeechRecognition' in self;

interface Props extends ComposerToolProps {
  load(): Promise<typeof VoiceBundle>;
  /** Shows a text above the buttons, or removes it. */
  setNote(note: ToolNote | undefined): void;
}

export function DictationButton({ box, store, isOff, hasText, load, setNote }: Props) {
  const mustEnd = isConversationHidden(store) || isOff;
  const dictation = useRef<Dictation | undefined>(undefined);
  const [isListening, setIsListening] = useState(false);

  // Sending empties the text box without an event.
  useEffect(() => dictation.current?.check(), [hasText]);
  // A visitor who cannot see the chat does not expect that it listens.
  useEffect(() => {
    if (mustEnd) dictation.current?.abort();
  }, [mustEnd]);
  useEffect(() => () => dictation.current?.abort(), []);
  useEscape(
    () => box.current?.form,
    () => dictation.current?.stop(),
    isListening,
  );

  const toggle = async () => {
    if (dictation.current) return dictation.current.stop();
    try {
      const { startDictation, strings: texts } = await load();
      const { current } = box;
      // It was closed or clicked again meanwhile, or the visitor must answer with a button now.
      if (!current || current.readOnly || dictation.current || isConversationHidden(store)) return;
      dictation.current = startDictation(current, (name) => {
        const isProblem = name !== 'listening';
        if (isProblem) dictation.current = undefined;
        setIsListening(!isProblem);
        setNote(name && { text: () => texts[name], isProblem });
      });
    } catch {
      // Not loaded: another click tries again.
    }
  };
  return (
    <button
      type="button"
      class="tool"
      part="dictation"
      aria-label={strings.dictate}
      title={strings.dictate}
      aria-pressed={isListening}
      disabled={isOff}
      onClick={toggle}
    >
      <Icon path={icons.microphone} />
    </button>
  );
}
