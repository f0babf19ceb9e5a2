// The entry point of the chat bundle: creates store and session, renders the window, and returns its handle.
import { effect, untracked } from '@preact/signals';
import { render } from 'preact';
import { chatFields, type ResolvedConfiguration } from '../../protocol/page-api/config.ts';
import { interpolate, setLanguage } from '../i18n/current.ts';
import type { Chat, StyleSlot, Widget } from '../launcher-chat-interface.ts';
import { createAnnouncer } from './announcements.ts';
import { extras, fonts, home, markdown, people } from './bundles.ts';
import css from './chat.css?inline';
import { composerBox, isTouch } from './components/focus.ts';
import { Panel } from './components/Panel.tsx';
import { isHome } from './home.ts';
import { setMarkdownOptions } from './payloads/markdown-options.ts';
import { pause } from './session/retry.ts';
import { createSession } from './session/session.ts';
import { createStore } from './store/store.ts';
import { strings } from './strings.ts';

/** Features that are visible or audible without an action of the visitor. */
const extrasFields = [
  'allowFileUpload',
  'feedbackEnabled',
  'regenerateEnabled',
  'editEnabled',
  'soundEnabled',
  'starters',
  'emojiPicker',
  'dictation',
  'voiceMessages',
] as const;

/**
 * Renders the chat into the frame of the window, in several tasks, so that none blocks the page of a slow phone for
 * long. The chat ends when `widget.signal` aborts; rejects if that happens before it is rendered.
 */
export async function mount(widget: Widget): Promise<Chat> {
  const { frame, signal } = widget;
  setLanguage(widget.language);
  widget.adopt('chat', css);
  const configured = (): ResolvedConfiguration =>
    Object.assign(widget.configuration, widget.resolve(chatFields));
  const store = createStore(configured());
  const announcer = createAnnouncer(widget);
  const session = createSession(widget, store, announcer.announce);
  await pause(0, signal);

  /** Extras fit the window to the on-screen keyboard and to little height, and make the page that it covers inert. */
  const onResize = () => {
    const { offsetWidth, offsetHeight } = frame;
    const isLow = offsetHeight > 0 && offsetHeight < 360;
    if (isLow || offsetWidth >= document.documentElement.clientWidth) extras.request();
    extras.module?.updatePageLock(widget);
  };
  const onConfiguration = () => {
    setLanguage(widget.language);
    store.setConfiguration(configured());
    // The page changes the configuration with its hooks.
    session.useHooks().catch(() => {});
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') {
      // Not a shortcut of the page: its listeners get the host as target and cannot detect that it is a text field.
      if ((event.target as Element).matches('input,textarea')) event.stopPropagation();
    } else if (frame.getAttribute('role') === 'dialog' && !event.defaultPrevented && !event.isComposing) {
      // Escape does not close an embedded chat.
      event.stopPropagation();
      if (event.type !== 'keydown') return;
      // Without it the browser closes the dialog of the page that contains the chat.
      event.preventDefault();
      widget.close();
    }
  };
  for (const type of ['keydown', 'keypress', 'keyup'] as const) {
    frame.addEventListener(type, onKey, { signal });
  }
  addEventListener('resize', onResize, { signal });
  frame.textContent = '';
  let ends: (() => void)[] = [];
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
    render(null, frame);
  });
  render(<Panel store={store} session={session} widget={widget} />, frame);
  await pause(0, signal);

  const start = () => {
    const { conversationId, unsent } = widget.storage.read();
    // A visitor who has neither opened the window nor a conversation has nothing to resume.
    if ((widget.wasOpened && !isHome(store)) || conversationId || unsent) session.start().catch(() => {});
  };
  ends = [
    // Without its code, the conversation comes first.
    effect(() => {
      if (home.module !== null) return;
      store.setView('');
      untracked(start);
    }),
    effect(() => {
      const { botName, headerVariant } = store.state.configuration;
      frame.setAttribute('aria-label', interpolate(strings.chatWith, { name: botName }));
      widget.box.dataset.header = headerVariant;
    }),
    effect(() => {
      // A window that is drawn before it is opened loads nothing else.
      const { isOpen, history, configuration } = store.state;
      if (!isOpen && history === 'unknown') return;
      if (extrasFields.some((name) => configuration[name])) extras.request();
      const { fontFamily } = configuration;
      if (fontFamily) fonts.request();
      fonts.module?.setFont(fontFamily, signal);
    }),
    effect(() => {
      if (!markdown.module) return;
      // Not in the task that has evaluated the bundle: all messages are drawn again.
      setTimeout(setMarkdownOptions, 0, markdown.module, store.state.configuration, widget.chatUrl);
    }),
    ...Object.entries({ markdown, extras, people }).map(([slot, bundle]) =>
      effect(() => void (bundle.module && widget.adopt(slot as StyleSlot, bundle.module.css))),
    ),
    effect(() => {
      extras.module?.followPageLinks(widget);
      if (extras.module) onResize();
    }),
    effect(() => announcer.announceMessages(store)),
    effect(() => {
      const { announced } = store.state;
      untracked(() => announced && extras.module?.playMessageSound(widget, store, announced));
    }),
  ];
  onResize();
  await pause(0, signal);
  if (frame.hidden) {
    // Loads the fonts, and whatever else the first layout needs: otherwise the first click would wait for it.
    frame.hidden = false;
    frame.getBoundingClientRect();
    frame.hidden = true;
  }
  // The page may have changed both meanwhile.
  store.setOpen(widget.isOpen);
  onConfiguration();

  return {
    start,
    onConfiguration,
    setOpen(isOpen) {
      store.setOpen(isOpen);
      onResize();
      if (isOpen) session.markRead();
      else {
        // A modal dialog that is not visible would still make the whole page inert.
        for (const dialog of frame.querySelectorAll('dialog')) dialog.close();
      }
    },
    focus() {
      const target = isTouch() || isHome(store) ? frame : composerBox(frame);
      target?.focus({ preventScroll: true });
    },
    methods: session.methods,
  };
}
