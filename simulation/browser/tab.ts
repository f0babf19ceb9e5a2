// A tab with the chat: the real session, store and record of the widget on a page.
import type { PlatformError } from '../../src/protocol/error.ts';
import type { Message } from '../../src/protocol/message.ts';
import type { Session } from '../../src/widget/chat/session/session-interface.ts';
import type { Store } from '../../src/widget/chat/store/store.ts';
import type { StoredSession, Widget } from '../../src/widget/launcher-chat-interface.ts';
import type { TabExports } from '../product/evaluate.ts';
import type { Page } from './page.ts';

export interface TabOptions {
  exports: TabExports;
  page: Page;
  chatUrl: string;
  isOpen: boolean;
  /** The key of the user whom the page has identified. */
  userKey: string | undefined;
  /** The function of the page that the chat asks for the key of its user. */
  getUserKey?: (() => Promise<string | null>) | undefined;
}

export class Tab {
  readonly page: Page;
  readonly widget: Widget;
  readonly store: Store;
  readonly session: Session;
  /** The ids of the `message` events, in order. */
  readonly reported: string[] = [];
  readonly errors: string[] = [];
  unread = 0;
  /** Whether nothing else has ever been open in this browser at the same time. */
  isAlone = true;
  readonly #controller = new AbortController();
  readonly #exports: TabExports;

  constructor({ exports, page, chatUrl, isOpen, userKey, getUserKey }: TabOptions) {
    this.page = page;
    this.#exports = exports;
    const configuration = exports.resolveConfiguration();
    const storageKey = `platform-webchat:${chatUrl}`;
    const tab = this;
    this.widget = {
      signal: this.#controller.signal,
      chatUrl,
      storageKey,
      storage: exports.createStorage(() => 'localStorage', storageKey),
      configuration,
      language: { locale: 'en' },
      resolve: () => configuration,
      webchat: undefined,
      user: userKey === undefined ? {} : { userKey },
      ...(getUserKey && { getUserKey }),
      hooks: new Set(),
      isOpen,
      wasOpened: isOpen,
      frame: { querySelector: () => null },
      emit(type: string, payload: never) {
        if (type === 'message') tab.reported.push((payload as Message).id);
        if (type === 'error') tab.errors.push((payload as PlatformError).code);
      },
      onStarted() {},
      onServerConfiguration() {},
      onUnread(count: number) {
        tab.unread = Math.max(0, tab.unread + count);
      },
      config() {},
      open() {},
      close() {},
    } as unknown as Widget;
    this.store = exports.createStore(configuration);
    this.session = exports.createSession(this.widget, this.store, () => {});
    this.store.setOpen(isOpen);
  }

  get isAlive(): boolean {
    return this.page.realm.state !== 'ended' && !this.#controller.signal.aborted;
  }

  get isFrozen(): boolean {
    return this.page.realm.state === 'frozen';
  }

  /** The visitor looks at a page that the browser had frozen. */
  thaw(): void {
    if (!this.isFrozen) return;
    this.page.isHidden = false;
    this.page.realm.thaw();
    this.page.dispatch('document', 'resume');
    this.page.dispatch('document', 'visibilitychange');
  }

  /** The record of the visitor as the browser has it now. */
  get record(): StoredSession {
    return this.widget.storage.read();
  }

  /** Runs an action of the visitor or the page, now or when the tab goes on. What it rejects with is for the page. */
  act(action: (tab: Tab) => unknown): void {
    this.page.realm.run(() => {
      void Promise.resolve(action(this)).catch(() => {});
    });
  }

  toggle(): void {
    this.widget.isOpen = !this.widget.isOpen;
    this.store.setOpen(this.widget.isOpen);
    if (!this.widget.isOpen) return;
    this.unread = 0;
    this.session.markRead();
  }

  /** As `platform.destroy()`: the page goes on without the chat. */
  destroy(): void {
    this.page.realm.run(() => {
      this.#controller.abort(this.#exports.platformError('destroyed', 'The chat was removed from the page.'));
    });
  }
}
