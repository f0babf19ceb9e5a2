// The chat chunk's door: makes store and session, renders the window, and hands the shell its handle.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { preview } from '../../protocol/message.ts';
import type { Chat, Shell } from '../seam.ts';
import { chatWords as words } from '../words.ts';
import { createAnnouncer } from './announcer.ts';
import css from './chat.css?inline';
import { Panel } from './Panel.tsx';
import { richCss } from './rich.ts';
import { createSession } from './session.ts';
import { createStore } from './store.ts';
import { followViewport } from './viewport.ts';

/** Renders the chat into the shell's frame. All of it ends with `shell.signal`. */
export function mount(shell: Shell): Chat {
  const { frame, signal } = shell;
  const store = createStore(shell.configuration);
  const session = createSession(shell, store);
  store.setOpen(shell.isOpen);

  shell.adopt('chat', css);
  frame.replaceChildren();
  render(<Panel store={store} session={session} shell={shell} />, frame);
  followViewport(frame, signal);

  const say = createAnnouncer(shell.box, signal);
  const effects = [
    effect(() => frame.setAttribute('aria-label', words.window(store.configuration.value.botName))),
    effect(() => shell.adopt('rich', richCss() ?? '')),
    effect(() => {
      const row = store.heard.value;
      const text = row?.isFailureNotice ? words.noAnswer : preview(row?.payload);
      if (row) say(words.said(store.configuration.peek().botName, text));
    }),
  ];
  signal.addEventListener('abort', () => {
    for (const end of effects) end();
    render(null, frame);
  });

  return {
    start: () => void session.start().catch(() => {}),
    setConfiguration: store.setConfiguration,
    setOpen(isOpen) {
      store.setOpen(isOpen);
      if (isOpen) session.markRead();
      else store.setRestarting(false);
    },
    focus() {
      // On touch a focused box would raise the keyboard over what the visitor came to read.
      const isTouch = matchMedia('(pointer: coarse)').matches;
      const target = isTouch ? frame : frame.querySelector('textarea');
      target?.focus({ preventScroll: true });
    },
    getUser: session.getUser,
    updateUser: session.updateUser,
    sendMessage: (text) => session.send({ type: 'text', text }),
    sendEvent: session.sendEvent,
    restartConversation: session.restart,
  };
}
