// The types of message payloads. Generated from src/protocol/schemas/payloads.ts by payload-modules.test.ts
// (`npm run generate`): with inferred types, every project that uses the client would need the schema library. Do not edit.
// biome-ignore-all format: generated

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

export interface ImagePayload {
  type: 'image';
  imageUrl: string;
  title?: string;
  /** The id of the uploaded file (`POST /files`), if it is one. */
  fileId?: string;
}

export interface AudioPayload {
  type: 'audio';
  audioUrl: string;
  title?: string;
  /** The id of the uploaded file (`POST /files`), if it is one. */
  fileId?: string;
}

export interface VideoPayload {
  type: 'video';
  videoUrl: string;
  title?: string;
  /** The id of the uploaded file (`POST /files`), if it is one. */
  fileId?: string;
}

export interface FilePayload {
  type: 'file';
  fileUrl: string;
  title?: string;
  /** The id of the uploaded file (`POST /files`), if it is one. */
  fileId?: string;
}

export interface LocationPayload {
  type: 'location';
  latitude: number;
  longitude: number;
  address?: string;
  title?: string;
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

/** Several payloads in one message. */
export interface BlocPayload {
  type: 'bloc';
  items: BlocItem[];
}

/** A button of a card. `handoff`: the visitor asks for a person, and the value is the reason. */
export interface Action {
  action: 'postback' | 'url' | 'say' | 'handoff';
  label: string;
  value: string;
}

/** One answer of a question. */
export interface Option {
  label: string;
  value: string;
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

/** All payloads of a message. Objects may have extra keys, which are kept. */
export type Payload =
  | TextPayload
  | MarkdownPayload
  | ImagePayload
  | AudioPayload
  | VideoPayload
  | FilePayload
  | LocationPayload
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
