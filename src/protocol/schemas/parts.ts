// Schemas of the parts of messages, for requests, bot code and the reference. The compiler checks them against the types.
import * as v from 'valibot';
import { type NewPart, type Part, type PartChange, type PartOf, toolStates } from '../parts.ts';
import { schemaOf } from './base/schema-of.ts';
import { count, filledText, maybe, timestamp } from './base/values.ts';
import { interruptSchemas } from './interrupts.ts';

const text = v.string();
const name = filledText;
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Expected 1 to 64 letters, digits, "_" or "-".'));

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
const stored = { id, at: count, ...cuts };
const sent = { id: maybe(id), at: maybe(count) };

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

const statusPart = schemaOf<PartOf<'status'>>()(v.object({ ...stored, type: v.literal('status'), text }));
const reasoningPart = schemaOf<PartOf<'reasoning'>>()(v.object({ ...stored, ...reasoning }));
const toolPart = schemaOf<PartOf<'tool'>>()(v.object({ ...stored, ...tool }));
const sourcePart = schemaOf<PartOf<'source'>>()(v.object({ ...stored, ...source }));
const suggestionsPart = schemaOf<PartOf<'suggestions'>>()(v.object({ ...stored, ...suggestions }));
const blockPart = schemaOf<PartOf<'block'>>()(v.object({ ...stored, ...block }));

const interruptPart = schemaOf<PartOf<'interrupt'>>()(v.object({ ...stored, ...interruptSchemas.fields }));

export const partSchemas = {
  /** A part as messages have it. */
  part: schemaOf<Part>()(
    v.variant('type', [
      statusPart,
      reasoningPart,
      toolPart,
      sourcePart,
      suggestionsPart,
      blockPart,
      interruptPart,
    ]),
  ),
  interrupt: interruptPart,
  /** Parts that are sent whole. */
  newParts: schemaOf<NewPart[]>()(
    v.array(
      v.variant('type', [
        v.object({ ...sent, ...reasoning }),
        v.object({ ...sent, ...tool }),
        v.object({ ...sent, ...source }),
        v.object({ ...sent, ...suggestions }),
        v.object({ ...sent, ...block }),
      ]),
    ),
  ),
  /** A change of a part. The changed part is validated as a part. */
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
