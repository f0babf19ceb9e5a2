// Schemas of interrupts, and of the tools, the context and the blocks of the page.
import * as v from 'valibot';
import { clientLimits } from '../interrupts.ts';
import { limits } from '../limits.ts';
import { interruptAuthors, interruptReasons, interruptStates } from '../parts.ts';
import { checkResponse, type ResponseProperty, stringFormats } from '../response-schema.ts';
import { count, described, describedObject, filledText, maybe, timestamp } from './values.ts';

/** Any object. `v.record` is not used, because it drops names such as `__proto__`. */
const anyObject = v.pipe(
  v.unknown(),
  v.check(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Expected an object.',
  ),
  v.metadata({ documentedAs: { type: 'object' } }),
) as v.GenericSchema<unknown, Record<string, unknown>>;

const isUnique = (values: string[]) => new Set(values).size === values.length;

const filled = (length: number) => v.pipe(filledText, v.maxLength(length));
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Expected 1 to 64 letters, digits, "_" or "-".'));

const tool = describedObject('A tool that the page of the visitor runs.', {
  name: described(name, '1 to 64 letters, digits, `_` and `-`.'),
  title: maybe(filled(clientLimits.title), 'The title that the visitor reads; by default, the name.'),
  description: described(filled(clientLimits.bytes), 'The description that the bot reads.'),
  inputSchema: maybe(anyObject, 'JSON Schema of an object.'),
  annotations: maybe(
    v.object({
      readOnlyHint: maybe(v.boolean(), 'The tool changes nothing: it runs without asking the visitor.'),
      untrustedContentHint: maybe(v.boolean(), 'The result contains text that others have written.'),
    }),
  ),
});

const context = describedObject('Something that the page says of itself, for the bot.', {
  description: filled(clientLimits.bytes),
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
        v.maxLength(clientLimits.tools, `Expected at most ${clientLimits.tools} tools.`),
        v.check((tools) => isUnique(tools.map((tool) => tool.name)), 'Expected each name once.'),
      ),
    ),
    context: maybe(
      v.pipe(
        v.array(context),
        v.maxLength(clientLimits.context, `Expected at most ${clientLimits.context} entries.`),
      ),
    ),
    blocks: maybe(
      v.pipe(
        v.array(name),
        v.maxLength(clientLimits.blocks, `Expected at most ${clientLimits.blocks} names.`),
        v.check(isUnique, 'Expected each name once.'),
      ),
      'The names of the blocks that the page draws.',
    ),
  },
);

const answer = described(
  v.union([
    v.strictObject({ result: v.unknown() }),
    v.strictObject({ error: filled(clientLimits.error) }),
    v.strictObject({ approved: v.literal(false) }),
  ]),
  'The answer to a call of a tool of the page: its result (any JSON value), why it has none (for ' +
    'the bot), or that the visitor did not allow it.',
);

export const clientSchemas = { name, client, answer };

const { interrupts: most } = limits;
const text = (length: number = most.title) => v.pipe(filledText, v.maxLength(length));
const texts = { title: maybe(text()), description: maybe(text(most.description)) };

const unique = 'Expected each choice once.';
const enumeration = v.pipe(
  v.array(text()),
  v.minLength(1),
  v.maxLength(most.choices),
  v.check(isUnique, unique),
);
const choice = described(
  v.strictObject({ const: text(), title: text() }),
  'A choice with a text that the visitor reads.',
);
const titled = v.pipe(
  v.array(choice),
  v.minLength(1),
  v.maxLength(most.choices),
  v.check((choices) => isUnique(choices.map((choice) => choice.const)), unique),
);

// Objects are strict: a rule that the check does not know, such as a pattern, would not be kept.
const stringProperty = described(
  v.strictObject({
    type: v.literal('string'),
    ...texts,
    format: maybe(v.picklist(stringFormats)),
    minLength: maybe(count),
    maxLength: maybe(count),
    enum: maybe(enumeration),
    oneOf: maybe(titled),
    default: maybe(v.string()),
  }),
  'A text. With `enum` or `oneOf`: one of these values. Lengths: in characters (Unicode code points).',
);
const numeric = {
  ...texts,
  minimum: maybe(v.pipe(v.number(), v.finite())),
  maximum: maybe(v.pipe(v.number(), v.finite())),
  default: maybe(v.number()),
};
const numberProperty = v.strictObject({ type: v.literal('number'), ...numeric });
const integerProperty = v.strictObject({ type: v.literal('integer'), ...numeric });
const booleanProperty = v.strictObject({ type: v.literal('boolean'), ...texts, default: maybe(v.boolean()) });
const listProperty = described(
  v.strictObject({
    type: v.literal('array'),
    ...texts,
    items: v.union([
      v.strictObject({ type: maybe(v.literal('string')), enum: enumeration }),
      v.strictObject({ anyOf: titled }),
    ]),
    minItems: maybe(count),
    maxItems: maybe(count),
    default: maybe(v.array(v.string())),
  }),
  'Several of the given choices, each at most once.',
);

const isDefaultValid = (property: ResponseProperty): boolean =>
  property.default === undefined ||
  checkResponse({ properties: { property } }, { property: property.default }).length === 0;

const property = v.pipe(
  v.variant('type', [stringProperty, numberProperty, integerProperty, booleanProperty, listProperty]),
  v.check(isDefaultValid, 'Expected a default that the property allows.'),
);

const responseSchema = described(
  v.pipe(
    v.strictObject({
      type: v.literal('object'),
      ...texts,
      properties: v.record(text(), property),
      required: maybe(v.array(v.string())),
    }),
    v.check(
      ({ properties }) => Object.keys(properties).length <= most.properties,
      `Expected at most ${most.properties} properties.`,
    ),
    v.check(
      ({ properties, required = [] }) => required.every((name) => Object.hasOwn(properties, name)),
      'Expected only names of properties in "required".',
    ),
  ),
  'The JSON Schema of an answer: an object without objects inside.',
);

/** An interrupt as a bot asks it. */
const newInterrupt = describedObject('A question that ends an answer of the bot and waits for the visitor.', {
  reason: described(
    v.picklist(interruptReasons),
    '`client_tool`: the page of the visitor runs the tool `toolName`, and the answer is a `ClientToolAnswer`.',
  ),
  message: described(text(most.message), 'Plain text: what the visitor is asked.'),
  toolId: maybe(
    v.string(),
    'The part of the tool that waits for the answer; it becomes `approval-requested`.',
  ),
  toolName: maybe(text(), 'By default, that of the tool.'),
  input: maybe(anyObject, 'The input that the visitor agrees to; by default, that of the tool.'),
  responseSchema: maybe(responseSchema, 'The form of the answer; by default, `{approved: boolean}`.'),
  clientId: maybe(
    clientSchemas.name,
    'A tool of the page: the tab that runs it, and that nobody is asked; by default, as the event has it.',
  ),
  readOnly: maybe(v.literal(true)),
  expiresIn: maybe(
    v.pipe(v.number(), v.integer(), v.minValue(most.minTime), v.maxValue(most.maxTime)),
    'Milliseconds after which it is cancelled: 30 seconds to 7 days, by default 15 minutes; 2 minutes ' +
      'where nobody is asked.',
  ),
  state: maybe(
    v.unknown(),
    'Any JSON value that the server keeps and the bot gets back. Nobody else can read it.',
  ),
});

/** The fields of an interrupt besides those of all parts. */
const fields = {
  type: v.literal('interrupt'),
  reason: v.picklist(interruptReasons),
  message: described(text(most.message), 'Plain text: what the visitor is asked.'),
  toolId: maybe(v.string(), 'The part of the tool that waits for the answer.'),
  toolName: maybe(v.string()),
  input: maybe(anyObject, 'The input of the tool, which the visitor agrees to. Never cut.'),
  responseSchema: maybe(responseSchema, 'The form of the answer; by default `approvalSchema`.'),
  expiresAt: described(timestamp, 'ISO 8601 UTC: when it is cancelled without an answer.'),
  state: v.picklist(interruptStates),
  by: maybe(v.picklist(interruptAuthors)),
  response: maybe(
    v.unknown(),
    "The answer; of a tool of the page only its outcome: `{outcome: 'done' | 'failed' | 'declined'}`.",
  ),
  clientId: maybe(
    clientSchemas.name,
    'A tool of the page: the tab that runs it. By default each that has the tool.',
  ),
  readOnly: maybe(v.literal(true), 'A tool of the page: it changes nothing, so that nobody is asked.'),
};

/** The fields of a page in an answer: its claim of a tool, and its tools, context and blocks for the continuing bot. */
const fromPage = { claim: maybe(clientSchemas.name), client: maybe(clientSchemas.client) };

export const interruptSchemas = {
  fields,
  responseSchema,
  newInterrupt,
  newInterrupts: v.pipe(v.array(newInterrupt), v.maxLength(most.interrupts)),
  /** An answer. `payload`: what the form of the interrupt asks for. */
  response: v.variant('status', [
    v.object({ status: v.literal('resolved'), payload: anyObject, ...fromPage }),
    v.object({ status: v.literal('cancelled'), ...fromPage }),
  ]),
};

export const types = {
  TitledChoice: choice,
  StringProperty: stringProperty,
  NumberProperty: numberProperty,
  IntegerProperty: integerProperty,
  BooleanProperty: booleanProperty,
  ListProperty: listProperty,
  ResponseProperty: property,
  ResponseSchema: responseSchema,
  NewInterrupt: newInterrupt,
  ClientTool: tool,
  ClientContext: context,
  PageClient: client,
  ClientToolAnswer: answer,
};
