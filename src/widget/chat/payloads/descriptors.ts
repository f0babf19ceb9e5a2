// The properties of each payload type, in a table. A new type needs a row here and a component in `PayloadView.tsx` or
// `extras/media/Media.tsx`, where the compiler requires it.
import type { Payload, PayloadType } from '../../../protocol/message.ts';

interface Descriptor {
  /** The bundle that contains its component. */
  bundle: 'chat' | 'extras';
  /** Whether the visitor chooses one of its `options`, which are shown below its bubble. */
  isQuestion: boolean;
  /**
   * The announcement for screen readers: its preview; its text without Markdown syntax; its items; the titles of its
   * items; or the name of its type (a string of the extras bundle) and its title.
   */
  speech: 'preview' | 'markdown' | 'items' | 'titles' | 'name';
}

export const descriptors = {
  text: { bundle: 'chat', isQuestion: false, speech: 'preview' },
  markdown: { bundle: 'chat', isQuestion: false, speech: 'markdown' },
  choice: { bundle: 'chat', isQuestion: true, speech: 'preview' },
  dropdown: { bundle: 'chat', isQuestion: true, speech: 'preview' },
  image: { bundle: 'extras', isQuestion: false, speech: 'name' },
  audio: { bundle: 'extras', isQuestion: false, speech: 'name' },
  video: { bundle: 'extras', isQuestion: false, speech: 'name' },
  file: { bundle: 'extras', isQuestion: false, speech: 'name' },
  location: { bundle: 'extras', isQuestion: false, speech: 'name' },
  card: { bundle: 'extras', isQuestion: false, speech: 'preview' },
  carousel: { bundle: 'extras', isQuestion: false, speech: 'titles' },
  bloc: { bundle: 'extras', isQuestion: false, speech: 'items' },
} as const satisfies { [Type in PayloadType]: Descriptor };

/** The payload types whose descriptor has this value in this field. */
export type TypesWith<Field extends keyof Descriptor, Value> = {
  [Type in PayloadType]: (typeof descriptors)[Type][Field] extends Value ? Type : never;
}[PayloadType];

/** The descriptor of a payload. Its type is from the wire and may be any string, also `constructor`. */
export const describe = (type: unknown): Descriptor | undefined =>
  typeof type === 'string' && Object.hasOwn(descriptors, type) ? descriptors[type as PayloadType] : undefined;

/** Whether the preview is the whole announcement. Otherwise the extras bundle creates it. */
export const isPlain = ({ type }: Payload): boolean => {
  const descriptor = describe(type);
  return descriptor?.speech === 'preview' && descriptor.bundle === 'chat';
};
