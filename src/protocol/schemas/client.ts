// Schemas of the tools, the context and the blocks of the page, and of the answers to calls of these tools.
import * as v from 'valibot';
import { clientLimits as most } from '../interrupts/client-tools.ts';
import { anyObject } from './base/any-object.ts';
import { described, describedObject, maybe } from './base/described.ts';
import { filledText } from './base/values.ts';

const filled = (length: number) => v.pipe(filledText, v.maxLength(length));
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Expected 1 to 64 letters, digits, "_" or "-".'));

const tool = describedObject('A tool that the page of the visitor runs.', {
  name: described(name, '1 to 64 letters, digits, `_` and `-`.'),
  title: maybe(filled(most.title), 'The title that the visitor reads; by default, the name.'),
  description: described(filled(most.bytes), 'The description that the bot reads.'),
  inputSchema: maybe(anyObject, 'JSON Schema of an object.'),
  annotations: maybe(
    v.object({
      readOnlyHint: maybe(v.boolean(), 'The tool changes nothing: it runs without asking the visitor.'),
      untrustedContentHint: maybe(v.boolean(), 'The result contains text that others have written.'),
    }),
  ),
});

const isUnique = (names: string[]) => new Set(names).size === names.length;

const context = describedObject('Something that the page says of itself, for the bot.', {
  description: filled(most.bytes),
  value: v.string(),
});

const client = describedObject(
  'The tools and blocks that the page offers to the bot. They live as long as the event that they came with, and are in no ' +
    'message, signal, list or export.',
  {
    id: maybe(
      name,
      'Tells the tabs of a visitor apart: only the one with this id runs the tools. Without one, each ' +
        'that has the tool can.',
    ),
    tools: maybe(
      v.pipe(
        v.array(tool),
        v.maxLength(most.tools, `Expected at most ${most.tools} tools.`),
        v.check((tools) => isUnique(tools.map((one) => one.name)), 'Expected each name once.'),
      ),
    ),
    context: maybe(
      v.pipe(v.array(context), v.maxLength(most.context, `Expected at most ${most.context} entries.`)),
    ),
    blocks: maybe(
      v.pipe(
        v.array(name),
        v.maxLength(most.blocks, `Expected at most ${most.blocks} names.`),
        v.check(isUnique, 'Expected each name once.'),
      ),
      'The names of the blocks that the page draws.',
    ),
  },
);

const answer = described(
  v.union([
    v.strictObject({ result: v.unknown() }),
    v.strictObject({ error: filled(most.error) }),
    v.strictObject({ approved: v.literal(false) }),
  ]),
  'The answer to a call of a tool of the page: its result (any JSON value), why it has none (for ' +
    'the bot), or that the visitor did not allow it.',
);

export const clientSchemas = { name, client, answer };

export const types = {
  ClientTool: tool,
  ClientContext: context,
  PageClient: client,
  ClientToolAnswer: answer,
};
