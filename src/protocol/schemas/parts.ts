// Schemas of the parts of messages, for requests, bot code and the reference. The compiler checks them against the types.
import * as v from 'valibot';
import { type NewPart, type Part, type PartChange, type PartOf, toolStates } from '../parts.ts';
import { interruptSchemas } from './interrupts.ts';

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

const cuts = { truncated: maybe(v.literal(true)), omitted: maybe(v.literal(true)) };
/** The fields of every part: of one that is stored, and of one that is sent whole. */
const stored = { id, at, ...cuts };
const sent = { id: maybe(id), at: maybe(at) };

const reasoning = {
  type: v.literal('reasoning'),
  text: maybe(text),
  state: v.picklist(['streaming', 'done']),
  startedAt: timestamp,
  endedAt: maybe(timestamp),
};
const tool = {
  type: v.literal('tool'),
  toolName: name,
  title: maybe(text),
  state: v.picklist(toolStates),
  input: maybe(v.unknown()),
  output: maybe(v.unknown()),
  errorText: maybe(text),
};
const source = {
  type: v.literal('source'),
  title: text,
  url: maybe(url),
  snippet: maybe(text),
  page: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  fileId: maybe(text),
};
const suggestions = {
  type: v.literal('suggestions'),
  items: v.array(v.object({ label: name, value: maybe(name) })),
};
const block = { type: v.literal('block'), name, data: v.unknown(), fallback: text };

const statusPart = v.object({ ...stored, type: v.literal('status'), text }) satisfies v.GenericSchema<
  unknown,
  PartOf<'status'>
>;
const reasoningPart = v.object({ ...stored, ...reasoning }) satisfies v.GenericSchema<
  unknown,
  PartOf<'reasoning'>
>;
const toolPart = v.object({ ...stored, ...tool }) satisfies v.GenericSchema<unknown, PartOf<'tool'>>;
const sourcePart = v.object({ ...stored, ...source }) satisfies v.GenericSchema<unknown, PartOf<'source'>>;
const suggestionsPart = v.object({ ...stored, ...suggestions }) satisfies v.GenericSchema<
  unknown,
  PartOf<'suggestions'>
>;
const blockPart = v.object({ ...stored, ...block }) satisfies v.GenericSchema<unknown, PartOf<'block'>>;

const interruptPart = v.object({ ...stored, ...interruptSchemas.fields }) satisfies v.GenericSchema<
  unknown,
  PartOf<'interrupt'>
>;

export const partSchemas = {
  /** A part as messages have it. */
  part: v.variant('type', [
    statusPart,
    reasoningPart,
    toolPart,
    sourcePart,
    suggestionsPart,
    blockPart,
    interruptPart,
  ]) satisfies v.GenericSchema<unknown, Part>,
  interrupt: interruptPart,
  /** Parts that are sent whole. */
  newParts: v.array(
    v.variant('type', [
      v.object({ ...sent, ...reasoning }),
      v.object({ ...sent, ...tool }),
      v.object({ ...sent, ...source }),
      v.object({ ...sent, ...suggestions }),
      v.object({ ...sent, ...block }),
    ]),
  ) satisfies v.GenericSchema<unknown, NewPart[]>,
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
  InterruptPart: interruptPart,
  ResponseSchema: interruptSchemas.responseSchema,
};
