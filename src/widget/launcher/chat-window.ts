// Opens and closes the window of the chat: its state, the focus of the page before and after, and its events.
import type { Chat } from '../launcher-chat-interface.ts';
import { set } from './dom.ts';
import type { Launcher } from './launcher.ts';
import type { Emitter } from './page-api/emitter.ts';
import { strings } from './strings.ts';

interface ChatWindowOptions {
  signal: AbortSignal;
  root: ShadowRoot;
  frame: HTMLElement;
  launcher: Launcher;
  /** The window fills an element of the page, and opens without taking the focus. */
  isEmbedded: boolean;
  /** Adds the chat to the page again if the page has removed it. */
  attach(): void;
  emitter: Emitter;
  /** The chat if it is mounted. */
  mounted(): Chat | undefined;
  /** Loads the chat. */
  load(): Promise<Chat>;
  /** Called when the chat was focused and started, in the task that opened the window. */
  onOpened(): void;
}

export interface ChatWindow {
  readonly isOpen: boolean;
  readonly wasOpened: boolean;
  /** @param from the element of the page that opened it, to which the focus returns. null: opened by the bot. */
  open(from?: Element | null): void;
  close(): void;
  toggle(): void;
  setUnread(count: number): void;
  readonly unread: number;
  /** Returns the focus to where it was before the window was opened. */
  returnFocus(): void;
}

export function createChatWindow(options: ChatWindowOptions): ChatWindow {
  const { signal, root, frame, launcher, isEmbedded, attach, emitter, mounted, load, onOpened } = options;
  let isOpen = false;
  let wasOpened = false;
  let unread = 0;
  let returnFocusTo: Element | null = null;

  function setUnread(count: number): void {
    const before = unread;
    unread = Math.floor(count);
    launcher.update({ unread });
    if (unread !== before) emitter.emit('unread', unread);
  }

  function returnFocus(): void {
    (returnFocusTo as HTMLElement | null)?.focus();
  }

  function open(from?: Element | null): void {
    attach();
    if (isOpen) return;
    isOpen = wasOpened = true;
    const focused = from ?? root.activeElement ?? document.activeElement;
    const isFree = focused === document.body;
    returnFocusTo = isFree ? launcher.button : focused;
    setUnread(0);
    launcher.update({ isOpen, problem: '' });
    set(frame, { hidden: false, inert: false });
    emitter.emit('webchat:opened');
    // A handler may have closed the window or destroyed the widget.
    if (!isOpen || signal.aborted) return;
    const chat = mounted();
    if (!chat) {
      loadAndStart();
      return;
    }
    // In the same task as the click: iOS opens the keyboard only if the focus moves in the gesture.
    chat.setOpen(true);
    // A bot and an embedded chat do not move the focus, because the visitor may be typing in the page.
    if (!isEmbedded && (from !== null || isFree || root.activeElement)) chat.focus();
    chat.start();
    onOpened();
  }

  function loadAndStart(): void {
    if (!isEmbedded) frame.focus({ preventScroll: true });
    load().then(
      (chat) => {
        if (isOpen && root.activeElement) chat.focus();
        chat.start();
      },
      () => {
        if (signal.aborted) return;
        // Before the launcher gets the focus, so that a screen reader reads the problem with it.
        launcher.update({ problem: strings.loadFailed });
        close();
      },
    );
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    const hadFocus = root.activeElement;
    // `inert` as well, because a style sheet of the page may show hidden elements.
    set(frame, { hidden: true, inert: true });
    launcher.update({ isOpen });
    mounted()?.setOpen(false);
    if (hadFocus) {
      returnFocus();
      // The element may have been removed, or may not be focusable.
      if (!returnFocusTo?.matches(':focus')) launcher.button.focus();
    }
    emitter.emit('webchat:closed');
  }

  return {
    get isOpen() {
      return isOpen;
    },
    get wasOpened() {
      return wasOpened;
    },
    get unread() {
      return unread;
    },
    open,
    close,
    toggle: () => (isOpen ? close() : open()),
    setUnread,
    returnFocus,
  };
}
