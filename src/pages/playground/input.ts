// What the controls of fields share: what they are given, and the words for a default.
import type { FieldName } from '../../protocol/config.ts';
import type { Kind } from '../../protocol/kind.ts';
import { defaultOf, examples } from './fields.ts';

export interface InputProps {
  id: string;
  name: FieldName;
  kind: Kind;
  /** The value to begin with. */
  value: unknown;
  /** What every input element of the field carries. */
  aria: { 'aria-describedby': string; 'aria-invalid': boolean };
  /** The id of the field's name, for groups. */
  labelledBy: string;
  onValue(value: unknown): void;
}

/** What stands in an empty control: the default, or an example. */
export const placeholderOf = (name: FieldName): string => defaultOf(name) || (examples[name] ?? '');
/** The choice of setting nothing. */
export const fromDefault = (name: FieldName): string =>
  defaultOf(name) ? `Default (${defaultOf(name)})` : 'Default';
