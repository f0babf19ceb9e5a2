// The properties of each payload type, in a table. A new type needs a row here and a component in `PayloadView.tsx` or
// `media/payloads/Media.tsx`, where the compiler requires it. The components are not in this table, because it is in the
// bundle `chat`, which decides with it whether to load the bundle `extras`.
import type { Payload, PayloadType } from '../../../protocol/message.ts';

/** The components for options. A new name needs a row in `question-components.ts`, where the compiler requires it. */
export type QuestionName = 'choice' | 'dropdown';

interface Descriptor {
  /** The bundle that contains its component. */
  bundle: 'chat' | 'extras';
  /**
   * For a question, the name of the component that shows its `options` below its bubble (`question-components.ts`). The
   * visitor chooses one of them.
   */
  question: false | QuestionName;
  /**
   * The announcement for screen readers: its preview; its text without Markdown syntax; its items; the titles of its
   * items; or the name of its type (a string of the extras bundle) and its title.
   */
  speech: 'preview' | 'markdown' | 'items' | 'titles' | 'name';
}

export const descriptors = {
  text: { bundle: 'chat', question: false, speech: 'preview' },
  markdown: { bundle: 'chat', question: false, speech: 'markdown' },
  choice: { bundle: 'chat', question: 'choice', speech: 'preview' },
  dropdown: { bundle: 'chat', question: 'dropdown', speech: 'preview' },
  image: { bundle: 'extras', question: false, speech: 'name' },
  audio: { bundle: 'extras', question: false, speech: 'name' },
  video: { bundle: 'extras', question: false, speech: 'name' },
  file: { bundle: 'extras', question: false, speech: 'name' },
  location: { bundle: 'extras', question: false, speech: 'name' },
  card: { bundle: 'extras', question: false, speech: 'preview' },
  carousel: { bundle: 'extras', question: false, speech: 'titles' },
  bloc: { bundle: 'extras', question: false, speech: 'items' },
} as const satisfies { [Type in PayloadType]: Descriptor };

/**
 * All rows. The types below are derived from the rows and not from `PayloadType`, so that a missing row is one error, at
 * the table.
 */
type Descriptors = typeof descriptors;
type DescribedType = keyof Descriptors;

/** The payload types whose descriptor has this value in this field. */
export type TypesWith<Field extends keyof Descriptor, Value> = {
  [Type in DescribedType]: Descriptors[Type][Field] extends Value ? Type : never;
}[DescribedType];

/** The descriptor of a payload. Its type is from the wire and may be any string, also `constructor`. */
export const describe = (type: unknown): Descriptor | undefined =>
  typeof type === 'string' && Object.hasOwn(descriptors, type)
    ? descriptors[type as DescribedType]
    : undefined;

/** Whether the preview is the whole announcement. Otherwise the extras bundle creates it. */
export const isPlain = ({ type }: Payload): boolean => {
  const descriptor = describe(type);
  return descriptor?.speech === 'preview' && descriptor.bundle === 'chat';
};
