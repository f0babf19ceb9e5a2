// Tests that the written types of payloads are those of their schemas.
import type * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import type { Action, BlocItem, Option, Payload, PayloadOf, PayloadType } from './payloads.ts';
import type * as schemas from './schemas/payloads.ts';

type Inferred = v.InferOutput<typeof schemas.payload>;

test('the type of each payload is that of its schema', () => {
  expectTypeOf<PayloadType>().toEqualTypeOf<Inferred['type']>();
  expectTypeOf<{ [T in PayloadType]: PayloadOf<T> }>().branded.toEqualTypeOf<{
    [T in PayloadType]: Extract<Inferred, { type: T }>;
  }>();
  expectTypeOf<Payload>().branded.toEqualTypeOf<Inferred>();
  expectTypeOf<BlocItem>().branded.toEqualTypeOf<v.InferOutput<typeof schemas.blocItem>>();
  expectTypeOf<Action>().branded.toEqualTypeOf<v.InferOutput<typeof schemas.action>>();
  expectTypeOf<Option>().branded.toEqualTypeOf<v.InferOutput<typeof schemas.option>>();
});
