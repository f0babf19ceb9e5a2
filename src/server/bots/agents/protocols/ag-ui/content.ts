// The content of messages of AG-UI: a text, or a list of parts.
import { objectsOf, textOf } from '../shared/values.ts';

/** Returns the text of the content; undefined if it is not valid. Pictures, sounds and files are left out. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return objectsOf(content)
    .map((part) => (part.type === 'text' ? (textOf(part.text) ?? '') : ''))
    .join('');
}
