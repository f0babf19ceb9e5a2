// Opens and closes the window of the chat: its state, the focus of the page before and after, and its events.
import type { Chat } from '../launcher-chat-interface.ts';
import { set } from './dom.ts';
import type { Launcher, LauncherState } from './launcher.ts';
import type { Emitter } from './page-api/emitter.ts';
import { strings } from './strings.ts';

interface ChatWindowOptions {
  signal: AbortSignal;
  root: ShadowRoot;
  frame: HTMLElement;
  launcher: Launcher;
  /** The window fills an element of the page, and opens without taking the focus. */
  isEmbedded: boolean;
  /** Adds the chat to the page again if the page has removed it, and returns whether it has. */
  attach(): boolean;
  emitter: Emitter;
  /** The chat if it is mounted. */
  mounted(): Chat | undefined;
  /** Loads the chat. */
  load(): Promise<Chat>;
  /** Called when the chat was focused and started, in the task that opened the window. */
  onOpened(): void;
}

/** The state of the window, and what changes it. */
export interface ChatWindow extends LauncherState {
  wasOpened: boolean;
  /** @param from the element of the page that opened it, to which the focus returns. null: opened by the bot. */
  open(from?: Element | null): void;
  close(): void;
  toggle(): void;
  setUnreadMessageCount(count: number): void;
  /** Returns the focus to where it was before the window was opened. */
  returnFocus(): void;
  /** Closes the window that the page has removed, and adds the launcher to the page again. */
  restore(): void;
}

/** So often: a page that removes the chat again and again wins. */
const maxRestorations = 50;

export function createChatWindow(options: ChatWindowOptions): ChatWindow {
  const { signal, root, frame, launcher, isEmbedded, attach, emitter, mounted, load, onOpened } = options;
  let returnFocusTo: Element | null = null;
  let restorations = 0;
  const state: ChatWindow = {
    isOpen: false,
    wasOpened: false,
    unread: 0,
    problem: '',
    open,
    close,
    toggle: () => (state.isOpen ? close() : open()),
    setUnreadMessageCount,
    returnFocus,
    restore,
  };

  function setUnreadMessageCount(count: number): void {
    const before = state.unread;
    state.unread = Math.floor(count);
    launcher.update(state);
    if (state.unread !== before) emitter.emit('unread', state.unread);
  }

  function returnFocus(): void {
    (returnFocusTo as HTMLElement | null)?.focus();
  }

  function open(from?: Element | null): void {
    const isMoved = attach();
    if (state.isOpen) {
      // The transcript has lost its position, which it restores when it opens.
      if (isMoved) {
        mounted()?.setOpen(false);
        setTimeout(() => mounted()?.setOpen(state.isOpen));
      }
      return;
    }
    state.isOpen = state.wasOpened = true;
    const focused = from ?? root.activeElement ?? document.activeElement;
    const isFree = focused === document.body;
    returnFocusTo = isFree ? launcher.button : focused;
    state.problem = '';
    setUnreadMessageCount(0);
    set(frame, { hidden: false, inert: false });
    emitter.emit('webchat:opened');
    // A handler may have closed the window or destroyed the widget.
    if (!state.isOpen || signal.aborted) return;
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
        if (state.isOpen && root.activeElement) chat.focus();
        chat.start();
      },
      () => {
        if (signal.aborted) return;
        // Before the launcher gets the focus, so that a screen reader reads the problem with it.
        state.problem = strings.loadFailed;
        launcher.update(state);
        close();
      },
    );
  }

  function close(): void {
    if (!state.isOpen) return;
    state.isOpen = false;
    const hadFocus = root.activeElement;
    // `inert` as well, because a style sheet of the page may show hidden elements.
    set(frame, { hidden: true, inert: true });
    launcher.update(state);
    mounted()?.setOpen(false);
    if (hadFocus) {
      returnFocus();
      // The element may have been removed, or may not be focusable.
      if (!returnFocusTo?.matches(':focus')) launcher.button.focus();
    }
    emitter.emit('webchat:closed');
  }

  function restore(): void {
    // An embedded chat cannot be closed. It is open again when its target is there again.
    if (!isEmbedded) close();
    if (restorations++ < maxRestorations) attach();
  }

  return state;
}
