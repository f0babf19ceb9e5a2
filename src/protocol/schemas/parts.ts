// Schemas of the parts of messages, for requests, bot code and the reference. The compiler checks them against the types.
import * as v from 'valibot';
import { type NewPart, type Part, type PartChange, type PartOf, toolStates } from '../parts.ts';

const maybe = v.exactOptional;
const text = v.string();
const name = v.pipe(v.string(), v.nonEmpty('Expected a text that is not empty.'));
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Expected 1 to 64 letters, digits, "_" or "-".'));
const at = v.pipe(v.number(), v.integer(), v.minValue(0));
const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** A link that a visitor may follow. */
const url = v.pipe(
  v.string(),
  v.check(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'Expected an address with http or https.',
  ),
);

const common = { id, at, truncated: maybe(v.literal(true)), omitted: maybe(v.literal(true)) };

const statusPart = v.object({ ...common, type: v.literal('status'), text }) satisfies v.GenericSchema<
  unknown,
  PartOf<'status'>
>;

const reasoningPart = v.object({
  ...common,
  type: v.literal('reasoning'),
  text: maybe(text),
  state: v.picklist(['streaming', 'done']),
  startedAt: timestamp,
  endedAt: maybe(timestamp),
}) satisfies v.GenericSchema<unknown, PartOf<'reasoning'>>;

const toolPart = v.object({
  ...common,
  type: v.literal('tool'),
  toolName: name,
  title: maybe(text),
  state: v.picklist(toolStates),
  input: maybe(v.unknown()),
  output: maybe(v.unknown()),
  errorText: maybe(text),
}) satisfies v.GenericSchema<unknown, PartOf<'tool'>>;

const sourcePart = v.object({
  ...common,
  type: v.literal('source'),
  title: text,
  url: maybe(url),
  snippet: maybe(text),
  page: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  fileId: maybe(text),
}) satisfies v.GenericSchema<unknown, PartOf<'source'>>;

const suggestionsPart = v.object({
  ...common,
  type: v.literal('suggestions'),
  items: v.array(v.object({ label: name, value: maybe(name) })),
}) satisfies v.GenericSchema<unknown, PartOf<'suggestions'>>;

const blockPart = v.object({
  ...common,
  type: v.literal('block'),
  name,
  data: v.unknown(),
  fallback: text,
}) satisfies v.GenericSchema<unknown, PartOf<'block'>>;

export const partSchemas = {
  /** A part as messages have it. */
  part: v.variant('type', [
    statusPart,
    reasoningPart,
    toolPart,
    sourcePart,
    suggestionsPart,
    blockPart,
  ]) satisfies v.GenericSchema<unknown, Part>,
  /** Parts that are sent whole. Each is validated as a part. */
  newParts: v.array(
    v.looseObject({
      id: maybe(id),
      at: maybe(at),
      type: v.picklist(['reasoning', 'tool', 'source', 'suggestions', 'block']),
    }),
  ) as v.GenericSchema<unknown, unknown> as v.GenericSchema<unknown, NewPart[]>,
  /** A change of a part. What it makes of the part is validated as a part. */
  partChange: v.looseObject({ id, textDelta: maybe(text) }) as v.GenericSchema<unknown, PartChange>,
};

/** The schemas that have a name in the OpenAPI document. */
export const partComponents = {
  Part: partSchemas.part,
  StatusPart: statusPart,
  ReasoningPart: reasoningPart,
  ToolPart: toolPart,
  SourcePart: sourcePart,
  SuggestionsPart: suggestionsPart,
  BlockPart: blockPart,
};
