// The chat chunk's door: makes store and session, renders the window, and hands the shell its handle.
import { render } from 'preact';
import { preview } from '../../protocol/message.ts';
import type { Chat, Shell } from '../seam.ts';
import { addWords, fill, setLanguage } from '../words/current.ts';
import { createAnnouncer } from './announcer.ts';
import css from './chat.css?inline';
import { media, onChunk, rich, tools } from './chunks.ts';
import { isTouch } from './focus.ts';
import { Panel } from './Panel.tsx';
import { createSession } from './session.ts';
import { createStore, type Row } from './store.ts';
import { followViewport } from './viewport.ts';
import { words } from './words.ts';

/** Renders the chat into the shell's frame. All of it ends with `shell.signal`. */
export function mount(shell: Shell): Chat {
  const { frame, signal } = shell;
  setLanguage(shell.language);
  const store = createStore(shell.configuration);
  const session = createSession(shell, store);
  store.setOpen(shell.isOpen);

  shell.adopt('chat', css);
  frame.replaceChildren();
  followViewport(frame, signal);
  const say = createAnnouncer(shell.box, signal);
  let heard: Row | undefined;
  let isDrawing = false;

  const draw = () => {
    isDrawing = false;
    if (signal.aborted) return;
    frame.setAttribute('aria-label', fill(words.chatWith, { name: store.state.configuration.botName }));
    render(<Panel store={store} session={session} shell={shell} />, frame);
  };
  const onChange = () => {
    const { state } = store;
    if (state.heard !== heard && state.heard) {
      say(`${state.configuration.botName}: ${spoken(state.heard)}`);
      if (state.configuration.soundEnabled && !shell.storage.read().isMuted) tools.module?.chime();
    }
    heard = state.heard;
    // Once for all that changes in one task.
    if (!isDrawing) queueMicrotask(draw);
    isDrawing = true;
  };
  const onChunks = () => {
    for (const [slot, { module }] of Object.entries(chunks)) {
      if (module) shell.adopt(slot as keyof typeof chunks, module.css);
    }
    onConfiguration();
    onChange();
  };
  /** What the configuration asks of the other chunks; tools that are seen or heard come unasked. */
  const onConfiguration = () => {
    const { allowFileUpload, feedbackEnabled, soundEnabled } = store.state.configuration;
    if (rich.module) {
      // It stands alone, so its words are handed to it: what is on the screen is drawn again when they change.
      const own = { ...addWords(rich.module.words), newTab: words.newTab };
      rich.module.setPolicy(store.state.configuration, shell.chatUrl, own);
    }
    const isWanted = allowFileUpload || feedbackEnabled || soundEnabled;
    // Only once: what could not be loaded is tried again when somebody asks for it.
    if (isWanted && tools.module === undefined) tools.ask();
  };
  const ends = [store.subscribe(onChange), onChunk(onChunks)];
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
    render(null, frame);
  });
  onChunks();
  draw();

  return {
    start: () => void session.start().catch(() => {}),
    setConfiguration(configuration) {
      setLanguage(shell.language);
      store.setConfiguration(configuration);
      onConfiguration();
    },
    setOpen(isOpen) {
      store.setOpen(isOpen);
      if (isOpen) session.markRead();
      else {
        store.setRestarting(false);
        // A modal dialog that is not seen any more would still hold the whole page.
        for (const dialog of frame.querySelectorAll('dialog')) dialog.close();
      }
    },
    focus() {
      const target = isTouch() ? frame : frame.querySelector('textarea');
      target?.focus({ preventScroll: true });
    },
    getUser: session.getUser,
    updateUser: session.updateUser,
    sendMessage: (text) => session.send({ type: 'text', text }),
    sendEvent: session.sendEvent,
    restartConversation: session.restart,
  };
}

const chunks = { rich, media, tools };

/** Payloads without a text; their types are keys of words, too. */
const kinds = ['image', 'audio', 'video', 'file', 'location'] as const;

/** What a screen reader is told of a message: an address is no word. */
function spoken({ isFailureNotice, payload }: Row): string {
  if (isFailureNotice) return words.noAnswer;
  const { type, title } = payload as { type: (typeof kinds)[number]; title?: unknown };
  return kinds.includes(type)
    ? [words[type], preview({ title })].filter(Boolean).join(': ')
    : preview(payload);
}
