// The chat chunk's door: makes store and session, renders the window, and hands the shell its handle.
import { render } from 'preact';
import { chatFields, type ResolvedConfiguration } from '../../protocol/config.ts';
import { preview } from '../../protocol/message.ts';
import { addWords, fill, setLanguage } from '../i18n/current.ts';
import type { Chat, Shell } from '../launcher-chat-interface.ts';
import { fonts, media, onChunk, rich, tools, visit } from './bundles.ts';
import css from './chat.css?inline';
import { createAnnouncer } from './components/announcer.ts';
import { isTouch } from './components/focus.ts';
import { Panel } from './components/Panel.tsx';
import { createSession } from './session/session.ts';
import { createStore, type Row } from './store/store.ts';
import { words } from './strings.ts';

/** Renders the chat into the shell's frame. All of it ends with `shell.signal`. */
export function mount(shell: Shell): Chat {
  const { frame, signal } = shell;
  setLanguage(shell.language);
  const configuration = (): ResolvedConfiguration => ({
    ...shell.configuration,
    ...shell.resolve(chatFields, true),
  });
  const store = createStore(configuration());
  const say = createAnnouncer(shell.box, signal);
  const session = createSession(shell, store, say);
  store.setOpen(shell.isOpen);

  shell.adopt('chat', css);
  frame.replaceChildren();
  let heard: Row | undefined;
  /** What waits to be said, in its order. */
  const unsaid: Row[] = [];
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
      unsaid.push(state.heard);
      if (state.configuration.soundEnabled && !shell.storage.read().isMuted) tools.module?.chime();
    }
    heard = state.heard;
    while (unsaid[0]) {
      const text = spoken(unsaid[0]);
      if (!text) break;
      say(`${state.configuration.botName}: ${text}`);
      unsaid.shift();
    }
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
    onSize();
  };
  /** A sheet as wide as the page: the tools fit it to what the keyboard leaves, and keep what is behind it still. */
  const onSize = () => {
    if (frame.offsetWidth >= document.documentElement.clientWidth) tools.ask();
    tools.module?.cover(shell);
  };
  /** What the configuration asks of the other chunks; tools that are seen or heard come unasked. */
  const onConfiguration = () => {
    const { allowFileUpload, feedbackEnabled, soundEnabled, starters, headerVariant, fontFamily } =
      store.state.configuration;
    shell.box.dataset.header = headerVariant;
    if (rich.module) {
      // It stands alone, so its words are handed to it.
      rich.module.setPolicy(store.state.configuration, shell.chatUrl, {
        ...words,
        ...addWords(rich.module.words),
      });
    }
    const isWanted = allowFileUpload || feedbackEnabled || soundEnabled || starters;
    if (fontFamily) fonts.ask();
    fonts.module?.setFont(fontFamily, signal);
    if (isWanted) tools.ask();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') {
      // What is typed here is no shortcut of the page, which sees the host as the target and not that it is a text field.
      if ((event.target as Element).matches('input,textarea')) event.stopPropagation();
    } else if (frame.getAttribute('role') === 'dialog' && !event.defaultPrevented && !event.isComposing) {
      // A part of the page is not closed by it.
      event.stopPropagation();
      if (event.type === 'keydown') shell.close();
    }
  };
  for (const type of ['keydown', 'keypress', 'keyup'] as const)
    frame.addEventListener(type, onKey, { signal });
  const ends = [store.subscribe(onChange), onChunk(onChunks)];
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
    render(null, frame);
  });
  onChunks();
  draw();
  addEventListener('resize', onSize, { signal });
  onSize();

  return {
    start() {
      // A visitor who has not opened it has come back, or there is nothing to go on with.
      const { conversationId, unsent } = shell.storage.read();
      if (shell.wasOpened || conversationId || unsent) session.start().catch(() => {});
    },
    onConfiguration() {
      setLanguage(shell.language);
      store.setConfiguration(configuration());
      onConfiguration();
    },
    setOpen(isOpen) {
      store.setOpen(isOpen);
      onSize();
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
    ask: session.ask,
  };
}

const chunks = { markdown: rich, media, extras: tools, unsent: visit };

/** What a screen reader is told of a message; undefined while the chunk that knows is on its way. */
function spoken({ isFailureNotice, payload, status }: Row): string | undefined {
  if (isFailureNotice) return words.noAnswer;
  const isPlain = ['text', 'choice', 'dropdown'].includes(payload.type);
  if (!isPlain && tools.module === undefined) return void tools.ask();
  // An address is no word, nor are the marks of Markdown.
  const text = (!isPlain && tools.module?.toSpeech(payload)) || preview(payload) || words.unsupported;
  return status === 'aborted' ? `${text}: ${words.stopped}` : text;
}
