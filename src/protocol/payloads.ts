// The types of message payloads. The schemas are in schemas/payloads.ts; payloads.test.ts compares them. The types are
// written here, because declarations that are inferred need the schema library in every project that uses the client.

export interface TextPayload {
  type: 'text';
  text: string;
  /** The value of the button that created this text (`postback`, `say`, choice, dropdown). */
  value?: string;
}

export interface MarkdownPayload {
  type: 'markdown';
  markdown: string;
}

/** What all payloads with a file have. */
interface FileFields {
  title?: string;
  /** The id of the uploaded file (`POST /files`), if it is one. */
  fileId?: string;
}

export interface ImagePayload extends FileFields {
  type: 'image';
  imageUrl: string;
}

export interface AudioPayload extends FileFields {
  type: 'audio';
  audioUrl: string;
}

export interface VideoPayload extends FileFields {
  type: 'video';
  videoUrl: string;
}

export interface FilePayload extends FileFields {
  type: 'file';
  fileUrl: string;
}

export interface LocationPayload {
  type: 'location';
  latitude: number;
  longitude: number;
  address?: string;
  title?: string;
}

/** A button of a card. `handoff`: the visitor asks for a person, and the value is the reason. */
export interface Action {
  action: 'postback' | 'url' | 'say' | 'handoff';
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

/** One answer of a question. */
export interface Option {
  label: string;
  value: string;
}

/** What both kinds of questions have. */
interface Question {
  text: string;
  options: Option[];
  disableFreeText?: boolean;
}

export interface ChoicePayload extends Question {
  type: 'choice';
}

export interface DropdownPayload extends Question {
  type: 'dropdown';
}

/** The payloads that a `bloc` may contain. */
export type BlocItem =
  | TextPayload
  | MarkdownPayload
  | ImagePayload
  | AudioPayload
  | VideoPayload
  | FilePayload
  | LocationPayload;

/** Several payloads in one message. */
export interface BlocPayload {
  type: 'bloc';
  items: BlocItem[];
}

/** All payloads of a message. Objects may have extra keys, which are kept. */
export type Payload =
  | BlocItem
  | CardPayload
  | CarouselPayload
  | ChoicePayload
  | DropdownPayload
  | BlocPayload;
export type PayloadType = Payload['type'];
export type PayloadOf<Type extends PayloadType> = Extract<Payload, { type: Type }>;

/** Every type of payload, and whether it is a file: those have a `fileId`. */
export const isFileType: {
  readonly [Type in PayloadType]: 'fileId' extends keyof PayloadOf<Type> ? true : false;
} = {
  text: false,
  markdown: false,
  image: true,
  audio: true,
  video: true,
  file: true,
  location: false,
  card: false,
  carousel: false,
  choice: false,
  dropdown: false,
  bloc: false,
};
