// Tests that the generated types match the schemas: in both directions, inputs and responses.
import { expectTypeOf, test } from 'vitest';
import type { adminOperations } from '../../protocol/operations/admin/index.ts';
import type { chatOperations } from '../../protocol/operations/chat/index.ts';
import type { filesOperations } from '../../protocol/operations/files.ts';
import type { inboxOperations } from '../../protocol/operations/inbox/index.ts';
import type { Input, Output } from '../../protocol/operations/operation.ts';
import type { runtimeOperations } from '../../protocol/operations/runtime/index.ts';
import type { sessionOperations } from '../../protocol/operations/session.ts';
import type { tablesOperations } from '../../protocol/operations/tables.ts';
import type { AdminMethods } from './admin.ts';
import type { ChatMethods } from './chat.ts';
import type { FilesMethods } from './files.ts';
import type { InboxMethods } from './inbox.ts';
import type { RuntimeMethods } from './runtime.ts';
import type { SessionMethods } from './session.ts';
import type { TablesMethods } from './tables.ts';

/**
 * Whether two types are identical, in both directions. A mutual `extends` is not enough: a type without an optional field
 * extends one that has it.
 */
type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any method
type Method = (...args: any[]) => Promise<unknown>;

/** Intersections as one object. */
type Plain<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;

/**
 * Operations whose schema accepts more than the client's type: fields that are refused with a message, and values that
 * the server checks after the schema. The names of the fields are the same.
 */
type Narrowed = 'createBot' | 'updateBot' | 'updateTableRows' | 'findTableRows';

type IsSame<K, Generated, Declared> = K extends Narrowed
  ? Generated extends Declared
    ? Equals<keyof Generated, keyof Declared>
    : false
  : Equals<Plain<Generated>, Plain<Declared>>;

/** The operations whose generated type differs from that of their schemas. */
type Mismatches<Methods, Declared extends Record<string, { route: string }>> = {
  [K in keyof Methods & keyof Declared]: Methods[K] extends Method
    ? [
        IsSame<K, NonNullable<Parameters<Methods[K]>[0]>, Input<Declared[K]>>,
        Equals<Plain<Awaited<ReturnType<Methods[K]>>>, Plain<Output<Declared[K]>>>,
      ] extends [true, true]
      ? never
      : K
    : K;
}[keyof Methods & keyof Declared];

test('the types of the generated methods match the schemas', () => {
  expectTypeOf<Mismatches<ChatMethods, typeof chatOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<AdminMethods, typeof adminOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<FilesMethods, typeof filesOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<RuntimeMethods, typeof runtimeOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<TablesMethods, typeof tablesOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<SessionMethods, typeof sessionOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<InboxMethods, typeof inboxOperations>>().toEqualTypeOf<never>();
});
