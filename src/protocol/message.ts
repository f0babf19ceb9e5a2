// The words for a message: its payloads and their plain-text preview. It refuses to know how a message looks.

export interface TextPayload {
  type: 'text';
  text: string;
  /** The value of the button that wrote this text (`postback`, `say`, choice, dropdown). */
  value?: string;
}
export interface MarkdownPayload {
  type: 'markdown';
  markdown: string;
}
export interface ImagePayload {
  type: 'image';
  imageUrl: string;
  title?: string;
}
export interface AudioPayload {
  type: 'audio';
  audioUrl: string;
  title?: string;
}
export interface VideoPayload {
  type: 'video';
  videoUrl: string;
  title?: string;
}
export interface FilePayload {
  type: 'file';
  fileUrl: string;
  title?: string;
}
export interface LocationPayload {
  type: 'location';
  latitude: number;
  longitude: number;
  address?: string;
  title?: string;
}
export interface Action {
  action: 'postback' | 'url' | 'say';
  label: string;
  value: string;
}
export interface CardPayload {
  type: 'card';
  title: string;
  subtitle?: string;
  imageUrl?: string;
  actions: Action[];
}
export interface CarouselPayload {
  type: 'carousel';
  items: CardPayload[];
}
export interface Option {
  label: string;
  value: string;
}
export interface ChoicePayload {
  type: 'choice';
  text: string;
  options: Option[];
  disableFreeText?: boolean;
}
export interface DropdownPayload {
  type: 'dropdown';
  text: string;
  options: Option[];
  disableFreeText?: boolean;
}
/** The payloads a `bloc` may hold. */
export type BlocItem =
  | TextPayload
  | MarkdownPayload
  | ImagePayload
  | AudioPayload
  | VideoPayload
  | FilePayload
  | LocationPayload;
export interface BlocPayload {
  type: 'bloc';
  items: BlocItem[];
}

/** Everything a message can carry. Objects may hold extra keys, which are kept. */
export type Payload =
  | BlocItem
  | CardPayload
  | CarouselPayload
  | ChoicePayload
  | DropdownPayload
  | BlocPayload;
export type PayloadType = Payload['type'];

export type Metadata = Record<string, unknown>;

/** A message as the Chat API returns it. `metadata` stands beside `payload`, never inside it. */
export interface Message {
  id: string;
  createdAt: string;
  payload: Payload;
  userId: string;
  conversationId: string;
  metadata?: Metadata;
}

/** True for what can be shown as a message: an id, a payload, a readable time. A server may send anything. */
export function isMessage(value: Message): boolean {
  return (
    typeof value.id === 'string' && isObject(value.payload) && !Number.isNaN(Date.parse(value.createdAt))
  );
}

/** A message with the side it comes from, as on the stream and in the `message` event of the page. */
export type SidedMessage = Message & { isBot: boolean };

/** The key in `metadata` under which the widget keeps its own id of a message, to recognise it again. */
export const clientMessageIdKey = 'clientMessageId';

/** The widget's own id of a message, or undefined when somebody else sent it. */
export function clientMessageId(message: Pick<Message, 'metadata'>): string | undefined {
  const id = message.metadata?.[clientMessageIdKey];
  return typeof id === 'string' ? id : undefined;
}

type Loose = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const lines = (...parts: (string | string[])[]): string => parts.flat().filter(Boolean).join('\n');
const labels = (value: unknown): string =>
  list(value)
    .map((item) => text(item.label))
    .filter(Boolean)
    .join(' · ');

/** Blocs inside blocs that are read; the wire has none, so what is deeper is somebody's attack on the stack. */
const maxDepth = 9;

const previews: Record<PayloadType, (payload: Loose, depth: number) => string> = {
  text: (p) => text(p.text),
  markdown: (p) => text(p.markdown),
  image: (p) => lines(text(p.title), text(p.imageUrl)),
  audio: (p) => lines(text(p.title), text(p.audioUrl)),
  video: (p) => lines(text(p.title), text(p.videoUrl)),
  file: (p) => lines(text(p.title), text(p.fileUrl)),
  location: (p) =>
    lines(text(p.title), text(p.address), [p.latitude, p.longitude].filter(Number.isFinite).join(', ')),
  card: (p) => lines(text(p.title), text(p.subtitle), labels(p.actions)),
  carousel: (p, depth) => lines(list(p.items).map((item) => previews.card(item, depth))),
  choice: (p) => lines(text(p.text), labels(p.options)),
  dropdown: (p) => lines(text(p.text), labels(p.options)),
  // Existing servers send bloc items flat or nested as {type, payload} (both are in the wild).
  bloc: (p, depth) =>
    depth > maxDepth
      ? ''
      : lines(
          list(p.items).map((item) =>
            previewAt(isObject(item.payload) ? { type: item.type, ...item.payload } : item, depth + 1),
          ),
        ),
};

/**
 * The plain-text representation of any payload (SPEC, event object, `preview`): what a bot reads, what is shown
 * for a type we cannot draw, what a screen reader hears. Never throws, never gives `[object Object]`: for an
 * unknown shape it gives the readable strings found on its top level, or ''.
 */
export function preview(payload: unknown): string {
  return previewAt(payload, 0);
}

function previewAt(payload: unknown, depth: number): string {
  if (!isObject(payload)) return text(payload);
  const type = payload.type;
  if (typeof type === 'string' && Object.hasOwn(previews, type))
    return previews[type as PayloadType](payload, depth);
  return lines(Object.entries(payload).map(([key, value]) => (key === 'type' ? '' : text(value))));
}
