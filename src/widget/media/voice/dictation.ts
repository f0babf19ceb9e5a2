// Dictation: the browser recognizes speech, and the text appears in the text box while it is spoken.
import { language } from '../../i18n/current.ts';

export interface Dictation {
  /** Ends it; what was said is still recognized and inserted. */
  stop(): void;
  /** Ends it if the text box has another text than the dictated one: it was sent, or the visitor writes. */
  check(): void;
  /** Ends it at once. */
  abort(): void;
}

/** Why it ended without text: the names of the strings. */
type Problem = 'noSpeech' | 'noMicrophone' | 'noDictation';
/** The names of the strings that the visitor reads. */
export type DictationNote = 'listening' | Problem;

/** The interface of browsers (https://webaudio.github.io/web-speech-api/), as far as it is used here. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally?: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}
interface RecognitionClass {
  new (): Recognition;
  available?(options: { langs: string[]; processLocally: boolean }): Promise<string>;
}
interface ResultEvent extends Event {
  results: ArrayLike<ArrayLike<{ transcript: string }>>;
}

const problems: Record<string, Problem> = {
  'no-speech': 'noSpeech',
  'not-allowed': 'noMicrophone',
  'service-not-allowed': 'noMicrophone',
  'audio-capture': 'noMicrophone',
};

/**
 * Starts to listen. Each result replaces the selection of the text box, or is inserted at the caret. `onChange` is
 * called now with `listening`, and at the end with the problem, if there is one.
 */
export function startDictation(
  box: HTMLTextAreaElement,
  onChange: (note?: DictationNote) => void,
): Dictation {
  const before = box.value.slice(0, box.selectionStart);
  const after = box.value.slice(box.selectionEnd);
  let shown = box.value;
  let hasText = false;
  let hasEnded = false;
  let recognition: Recognition | undefined;
  const controller = new AbortController();
  const { signal } = controller;

  const end = (problem?: Problem) => {
    if (hasEnded) return;
    hasEnded = true;
    controller.abort();
    onChange(hasText ? undefined : problem);
  };
  const abort = () => {
    end();
    recognition?.abort();
  };
  const check = () => {
    if (box.value !== shown) abort();
  };
  const stop = () => {
    // It ends with the last result. Before the start there is none.
    if (recognition) recognition.stop();
    else end();
  };

  const show = ({ results }: ResultEvent) => {
    check();
    if (hasEnded) return;
    let text = '';
    for (let i = 0; i < results.length; i++) text = join(text, results[i]?.[0]?.transcript ?? '');
    if (!text.trim()) return;
    hasText = true;
    const start = join(before, text);
    shown = join(start, after);
    box.value = shown;
    box.setSelectionRange(start.length, start.length);
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };

  const start = async () => {
    const { SpeechRecognition, webkitSpeechRecognition } = self as typeof self &
      Partial<Record<'SpeechRecognition' | 'webkitSpeechRecognition', RecognitionClass>>;
    const Class = SpeechRecognition ?? webkitSpeechRecognition;
    if (!Class) throw new Error('This browser does not recognize speech.');
    const lang = language.locale;
    // Unknown to most browsers; a page may forbid it.
    const local = await Class.available?.({ langs: [lang], processLocally: true }).catch(() => undefined);
    if (hasEnded) return;
    recognition = new Class();
    recognition.lang = lang;
    recognition.interimResults = true;
    // If recognition continues after a pause, Chromium for Android repeats all earlier results in each result.
    recognition.continuous = !matchMedia('(pointer: coarse)').matches;
    if (local === 'available') recognition.processLocally = true;
    recognition.addEventListener('result', (event) => show(event as ResultEvent), { signal });
    recognition.addEventListener(
      'error',
      (event) => {
        const { error = '' } = event as Event & { error?: string };
        // `aborted`: another dictation has begun.
        end(error === 'aborted' ? undefined : (problems[error] ?? 'noDictation'));
      },
      { signal },
    );
    recognition.addEventListener('end', () => end('noSpeech'), { signal });
    recognition.start();
  };
  box.addEventListener('input', check, { signal });
  document.addEventListener('visibilitychange', stop, { signal });
  onChange('listening');
  start().catch(() => end('noDictation'));
  return { stop, check, abort };
}

/** Puts a space between two texts, unless there is one, or the language has none. */
function join(first: string, second: string): string {
  const hasSpace = /(^|\s)$/.test(first) || /^([\s.,;:!?]|$)/.test(second);
  const hasNone = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]$/u.test(first);
  return first + (hasSpace || hasNone ? '' : ' ') + second;
}
