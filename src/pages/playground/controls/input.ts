// The properties and texts that all controls of fields share.
import type { FieldName } from '../../../protocol/page-api/config.ts';
import type { Kind } from '../../../protocol/page-api/field-kinds.ts';
import { defaultOf, examples } from './fields.ts';

export interface InputProps {
  id: string;
  name: FieldName;
  kind: Kind;
  /** The initial value. */
  value: unknown;
  /** ARIA attributes of every input element of the field. */
  aria: { 'aria-describedby': string; 'aria-invalid': boolean };
  /** The id of the field's name, for groups. */
  labelledBy: string;
  onValue(value: unknown): void;
}

/** The placeholder of an empty control: the default or an example. */
export const placeholderOf = (name: FieldName): string => defaultOf(name) || (examples[name] ?? '');
/** The label of the choice to leave the field unset. */
export const fromDefault = (name: FieldName): string =>
  defaultOf(name) ? `Default (${defaultOf(name)})` : 'Default';
