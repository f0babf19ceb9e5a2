// Schemas of the tools, the context and the blocks of the page, and of the answers to calls of these tools.
import * as v from 'valibot';
import {
  type ClientTool,
  type ClientToolAnswer,
  clientLimits as most,
  type PageClient,
} from '../interrupts/client-tools.ts';
import { anyObject } from './base/any-object.ts';
import { schemaOf } from './base/schema-of.ts';
import { filledText, maybe } from './base/values.ts';

const filled = (length: number) => v.pipe(filledText, v.maxLength(length));
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Expected 1 to 64 letters, digits, "_" or "-".'));

const tool = schemaOf<ClientTool>()(
  v.object({
    name,
    title: maybe(filled(most.title)),
    description: filled(most.bytes),
    inputSchema: maybe(anyObject),
    annotations: maybe(
      v.object({ readOnlyHint: maybe(v.boolean()), untrustedContentHint: maybe(v.boolean()) }),
    ),
  }),
);

const isUnique = (names: string[]) => new Set(names).size === names.length;

export const clientSchemas = {
  name,
  client: schemaOf<PageClient>()(
    v.object({
      id: maybe(name),
      tools: maybe(
        v.pipe(
          v.array(tool),
          v.maxLength(most.tools, `Expected at most ${most.tools} tools.`),
          v.check((tools) => isUnique(tools.map((one) => one.name)), 'Expected each name once.'),
        ),
      ),
      context: maybe(
        v.pipe(
          v.array(v.object({ description: filled(most.bytes), value: v.string() })),
          v.maxLength(most.context, `Expected at most ${most.context} entries.`),
        ),
      ),
      blocks: maybe(
        v.pipe(
          v.array(name),
          v.maxLength(most.blocks, `Expected at most ${most.blocks} names.`),
          v.check(isUnique, 'Expected each name once.'),
        ),
      ),
    }),
  ),
  /** The answer to a call of a tool. */
  answer: schemaOf<ClientToolAnswer>()(
    v.union([
      v.strictObject({ result: v.unknown() }),
      v.strictObject({ error: filled(most.error) }),
      v.strictObject({ approved: v.literal(false) }),
    ]),
  ),
};
