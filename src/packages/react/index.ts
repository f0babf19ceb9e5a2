// The React adapter: components and hooks around the store of the widget package. Works on servers: it renders nothing
// there, or the empty element of a chat in the page.
'use client';
import {
  createWebchatStore,
  type Platform,
  type PlatformError,
  type SidedMessage,
  type WebchatEvents,
  type WebchatOptions,
  type WebchatState,
  type WebchatStore,
} from '@platform-webchat/widget';
import {
  createContext,
  createElement,
  type DetailedHTMLProps,
  Fragment,
  type HTMLAttributes,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { type RenderMessage, useLatest, useMessagePortals } from './message-portals.ts';

export type * from '@platform-webchat/widget';
export type { RenderMessage };

const Context = createContext<WebchatStore | undefined>(undefined);

/** The store of the options' address. Other options may change, and may be written inline: they are compared by value. */
function useStore(options: WebchatOptions, place: () => Element | null | undefined, isInline = false) {
  const { chatUrl, instance } = options;
  const latest = useLatest(options);
  // Other options do not need another store.
  const store = useMemo(() => createWebchatStore(options), [chatUrl, instance]);
  // The place is read when the chat is placed.
  useEffect(() => store.acquire(place()), [store, isInline]);
  useEffect(() => store.update(latest.current));
  return store;
}

function useStoreEvent<T extends keyof WebchatEvents>(
  store: WebchatStore | undefined,
  type: T,
  handler: ((data: WebchatEvents[T]) => void) | undefined,
): void {
  const latest = useLatest(handler);
  useEffect(() => store?.on(type, (data) => latest.current?.(data)), [store, type, latest]);
}

export interface WebchatProps extends WebchatOptions {
  /** Fills an element of this component instead of floating over the page. */
  inline?: boolean;
  /** The class of the element of an inline chat. */
  className?: string;
  renderMessage?: RenderMessage;
  onMessage?: (message: SidedMessage) => void;
  /** Called with the number of unread messages when it changes. */
  onUnread?: (count: number) => void;
  /** Called with whether the window is open now. */
  onOpenChange?: (isOpen: boolean) => void;
  /** The window was opened, and messages can be received. */
  onReady?: () => void;
  onError?: (error: PlatformError) => void;
}

/** A chat that is there while the component is. */
export function Webchat({
  inline = false,
  className,
  renderMessage,
  onMessage,
  onUnread,
  onOpenChange,
  onReady,
  onError,
  ...options
}: WebchatProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const store = useStore(options, () => (inline ? place.current : undefined), inline);
  useStoreEvent(store, 'message', onMessage);
  useStoreEvent(store, 'unread', onUnread);
  useStoreEvent(store, 'webchat:opened', () => onOpenChange?.(true));
  useStoreEvent(store, 'webchat:closed', () => onOpenChange?.(false));
  useStoreEvent(store, 'webchat:ready', onReady);
  useStoreEvent(store, 'error', onError);
  const portals = useMessagePortals(store, renderMessage);
  return createElement(Fragment, null, inline && createElement('div', { ref: place, className }), portals);
}

/** A floating chat that is there while the component is, for `useWebchat()` in its children. */
export function WebchatProvider({
  children,
  renderMessage,
  ...options
}: WebchatOptions & Pick<WebchatProps, 'renderMessage'> & { children?: ReactNode }): ReactNode {
  const store = useStore(options, () => undefined);
  const portals = useMessagePortals(store, renderMessage);
  return createElement(Context.Provider, { value: store }, children, portals);
}

export interface WebchatControls extends WebchatState, Pick<WebchatStore, 'open' | 'close' | 'toggle'> {
  /** The methods of the chat, as soon as it is initialized. */
  platform: Promise<Platform>;
}

/** Returns the state and the methods of the chat of the surrounding `<WebchatProvider>`. */
export function useWebchat(): WebchatControls {
  const store = useContext(Context);
  if (!store) throw new Error('useWebchat() works inside <WebchatProvider>.');
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
  const { open, close, toggle, platform } = store;
  return { ...state, open, close, toggle, platform };
}

/** Calls `handler`, always the newest one, for an event of the chat of the surrounding `<WebchatProvider>`. */
export function useWebchatEvent<T extends keyof WebchatEvents>(
  type: T,
  handler: (data: WebchatEvents[T]) => void,
): void {
  useStoreEvent(useContext(Context), type, handler);
}

/** The attributes of the element of `@platform-webchat/widget/element`; others are fields of the configuration. */
export interface WebchatElementProps extends DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> {
  'chat-url'?: string;
  instance?: string;
  placement?: 'floating' | 'inline' | 'page';
  open?: boolean;
  [field: string]: unknown;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'platform-webchat': WebchatElementProps;
    }
  }
}
