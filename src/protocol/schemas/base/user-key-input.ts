// The schema of user keys in a request, in addition to the one in its header. It marks the field, so that the server finds it.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import type { Operation } from '../../operations/operation.ts';
import { filledText } from './values.ts';

const marker = { isUserKey: true } as const;

/**
 * A user key that proves something of its user, in the query or the body. The server refuses a key that is limited to one
 * conversation in such a field, as in the header of an operation without `limitedKeys`.
 */
export const userKeyInput = v.pipe(filledText, v.maxLength(limits.userKey), v.metadata(marker));

/** The names of the fields of an operation that contain a user key. */
export function userKeyFields({ input }: Pick<Operation, 'input'>): string[] {
  const { entries = {} } = (input ?? {}) as { entries?: Record<string, v.GenericSchema> };
  return Object.keys(entries).filter((name) => isUserKey(entries[name] as Schema));
}

type Schema = { pipe?: readonly { metadata?: Partial<typeof marker> }[]; wrapped?: Schema };

const isUserKey = ({ pipe = [], wrapped }: Schema): boolean =>
  pipe.some(({ metadata }) => metadata?.isUserKey) || (wrapped !== undefined && isUserKey(wrapped));
