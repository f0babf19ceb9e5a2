// Messages, and the plain-text preview of their payloads. How a message looks is decided in the widget.
import type { Option, Payload } from './payloads.ts';
import type { Message } from './types/chat.ts';

export type * from './payloads.ts';
export type { Feedback, Message } from './types/chat.ts';

export type Metadata = Record<string, unknown>;

/** True for a value that can be shown as a message: it has an id, a payload and a valid time. */
export function isMessage(value: unknown): value is Message {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    isObject(value.payload) &&
    !Number.isNaN(Date.parse(text(value.createdAt)))
  );
}

/** A message with its side, as on the stream and in the `message` event of the page. */
export type SidedMessage = Message & { isBot: boolean };

/** The key in `metadata` under which the widget stores its own id of a message, to recognise the message later. */
export const clientMessageIdKey = 'clientMessageId';

/** The widget's own id of a message; undefined if another client sent it. */
export function clientMessageId(message: Pick<Message, 'metadata'>): string | undefined {
  const id = message.metadata?.[clientMessageIdKey];
  return typeof id === 'string' ? id : undefined;
}

/** A message that the server does not have yet, or that it has refused. */
export interface UnsentMessage {
  /** The widget's own id: it becomes `metadata.clientMessageId`. */
  id: string;
  payload: Payload;
  /** ISO 8601 UTC, from this device's clock. */
  createdAt: string;
  /** The id of the question whose button was pressed. */
  answers?: string | undefined;
  /** The id of the message whose place it takes. */
  supersedes?: string | undefined;
  /** The key of the user of `init` who wrote it, if the server was not reached as that user yet. */
  userKey?: string | undefined;
}

/** An unsent message of a conversation that the visitor has left. */
export type DeferredMessage = UnsentMessage & { conversationId: string };

type Loose = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const lines = (parts: string[]): string => parts.filter(Boolean).join('\n');
const labels = (value: unknown): string =>
  list(value)
    .map((item) => text(item.label))
    .filter(Boolean)
    .join(' · ');

/**
 * Returns the actions or options of a list that can be shown, each with its value as text. The label is the default of
 * the value. The wire may contain anything; existing bots omit the list.
 */
export function readButtons<Button extends Option>(buttons: readonly Button[] | undefined): Button[] {
  const isShown = (button: unknown): button is Button => isObject(button) && !!text(button.label);
  return (Array.isArray(buttons) ? buttons.filter(isShown) : []).map((button) => ({
    ...button,
    value: typeof button.value === 'object' ? button.label : String(button.value ?? button.label),
  }));
}

/** The depth of nested items that are read. Valid payloads are not deeper; others could overflow the stack. */
const maxDepth = 9;

/**
 * The plain-text representation of any payload: for bots, for payloads of a type that cannot be rendered, and for
 * screen readers. Never throws, and never returns `[object Object]`: for an unknown shape it returns the strings on
 * its top level, or ''.
 */
export function preview(payload: unknown, depth = 0): string {
  if (!isObject(payload)) return text(payload);
  const { type, latitude, longitude, actions, options, items } = payload;
  const strings = ['title', 'subtitle', 'text', 'markdown', 'address', `${text(type)}Url`].map((name) =>
    text(payload[name]),
  );
  // Existing servers send items flat or nested as {type, payload}, and cards of a carousel without a type.
  const inner = (depth < maxDepth ? list(items) : []).map((item) =>
    preview({ type: 'card', ...item, ...(isObject(item.payload) ? item.payload : {}) }, depth + 1),
  );
  const coordinates = [latitude, longitude].filter(Number.isFinite).join(', ');
  const lineTexts = lines([...strings, coordinates, labels(actions), labels(options), ...inner]);
  return (
    lineTexts || lines(Object.entries(payload).map(([key, value]) => (key === 'type' ? '' : text(value))))
  );
}
