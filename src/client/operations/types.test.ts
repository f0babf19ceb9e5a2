// Tests that the generated types match the schemas: for the inputs of a client and for the responses of a server.
import { expectTypeOf, test } from 'vitest';
import type { adminOperations } from '../../protocol/operations/admin/index.ts';
import type { chatOperations } from '../../protocol/operations/chat/index.ts';
import type { filesOperations } from '../../protocol/operations/files/index.ts';
import type { inboxOperations } from '../../protocol/operations/inbox/index.ts';
import type { Input, Output } from '../../protocol/operations/operation.ts';
import type { runtimeOperations } from '../../protocol/operations/runtime/index.ts';
import type { tablesOperations } from '../../protocol/operations/tables/index.ts';
import type { AdminMethods } from './admin.ts';
import type { ChatMethods } from './chat.ts';
import type { FilesMethods } from './files.ts';
import type { InboxMethods } from './inbox.ts';
import type { RuntimeMethods } from './runtime.ts';
import type { TablesMethods } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any method
type Method = (...given: any[]) => Promise<unknown>;

/** The operations whose generated type differs from that of their schemas. */
type Mismatches<Methods, Declared extends Record<string, { route: string }>> = {
  [K in keyof Methods & keyof Declared]: Methods[K] extends Method
    ? NonNullable<Parameters<Methods[K]>[0]> extends Input<Declared[K]>
      ? Output<Declared[K]> extends Awaited<ReturnType<Methods[K]>>
        ? never
        : K
      : K
    : K;
}[keyof Methods & keyof Declared];

test('the types of the generated methods match the schemas', () => {
  expectTypeOf<Mismatches<ChatMethods, typeof chatOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<AdminMethods, typeof adminOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<FilesMethods, typeof filesOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<RuntimeMethods, typeof runtimeOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<TablesMethods, typeof tablesOperations>>().toEqualTypeOf<never>();
  expectTypeOf<Mismatches<InboxMethods, typeof inboxOperations>>().toEqualTypeOf<never>();
});
