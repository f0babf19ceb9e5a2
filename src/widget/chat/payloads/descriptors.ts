// What the widget must know of each payload type, in one table. A new type needs a row here and then a component: in
// `PayloadView.tsx` or in `extras/media/Media.tsx`, where the compiler asks for it.
import type { Payload, PayloadType } from '../../../protocol/message.ts';

interface Descriptor {
  /** The bundle that has its component. */
  bundle: 'chat' | 'extras';
  /** Whether it asks the visitor to choose one of its `options`, which stand below its bubble. */
  isQuestion: boolean;
  /**
   * What a screen reader announces: its preview; its text without the marks of Markdown; its items; the titles of its
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

/** The payload types whose row has this value in this field. */
export type TypesWith<Field extends keyof Descriptor, Value> = {
  [Type in PayloadType]: (typeof descriptors)[Type][Field] extends Value ? Type : never;
}[PayloadType];

/** The row of a payload. Its type comes from the wire and may be any string, `constructor` too. */
export const describe = (type: unknown): Descriptor | undefined =>
  typeof type === 'string' && Object.hasOwn(descriptors, type) ? descriptors[type as PayloadType] : undefined;

/** Whether the preview is all there is to announce. The extras bundle has the rest. */
export const isPlain = ({ type }: Payload): boolean => {
  const descriptor = describe(type);
  return descriptor?.speech === 'preview' && descriptor.bundle === 'chat';
};
