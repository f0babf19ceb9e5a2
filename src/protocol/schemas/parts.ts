// Schemas of the parts of messages: what is shown with their text.
import * as v from 'valibot';
import { type PartChange, toolStates } from '../parts.ts';
import { interruptSchemas } from './interrupts.ts';
import { count, described, describedObject, filledText, maybe, timestamp, writtenType } from './values.ts';

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

const common = v.object({
  id: described(id, 'Unique in its message: 1 to 64 letters, digits, `_` and `-`.'),
  at: described(count, 'Where the part belongs: the number of characters (UTF-16) of the text before it.'),
  truncated: maybe(v.literal(true), 'A text or a value was longer than its limit.'),
  omitted: maybe(
    v.literal(true),
    '`text`, `input`, `output` or `response` are left out here, because they are long: `getMessage` returns them.',
  ),
});

/** The fields of every part: of one that is stored, and of one that is sent whole. */
const stored = common.entries;
const sent = { id: maybe(id, 'By default p1, p2 and so on.'), at: maybe(count, 'By default 0.') };

const reasoning = {
  type: v.literal('reasoning'),
  text: maybe(text),
  state: v.picklist(['streaming', 'done']),
  startedAt: timestamp,
  endedAt: maybe(timestamp),
};
const toolState = described(
  v.picklist(toolStates),
  'The states of a tool. `cancelled`: the answer ended before the tool did.',
);

const tool = {
  type: v.literal('tool'),
  toolName: described(name, 'The name of the tool in the code of the bot.'),
  title: maybe(text, 'The title that the visitor reads, by default the name.'),
  state: toolState,
  input: maybe(v.unknown(), 'Any JSON value.'),
  output: maybe(v.unknown(), 'Any JSON value.'),
  errorText: maybe(text),
};
const source = {
  type: v.literal('source'),
  title: text,
  url: maybe(url, 'http or https.'),
  snippet: maybe(text),
  page: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  fileId: maybe(text),
};
const suggestions = {
  type: v.literal('suggestions'),
  items: v.array(v.object({ label: name, value: maybe(name) })),
};
const block = { type: v.literal('block'), name, data: v.unknown(), fallback: text };

const statusPart = describedObject('The activity of the bot while it answers. It is not stored.', {
  ...stored,
  type: v.literal('status'),
  text,
});
const reasoningPart = describedObject('The reasoning of the bot before it answered. Times: ISO 8601 UTC.', {
  ...stored,
  ...reasoning,
});
const toolPart = describedObject('A step: a tool that the bot used.', { ...stored, ...tool });
const sourcePart = describedObject(
  'Where a statement comes from. `[n]` in the text refers to the source that is number n of the ' +
    'sources, from 1.',
  { ...stored, ...source },
);
const suggestionsPart = describedObject(
  'Suggestions for the next message of the visitor. `value`: the text that is sent, by default the label.',
  { ...stored, ...suggestions },
);
const blockPart = describedObject(
  'Content that the page draws. `fallback`: the text where the page cannot.',
  { ...stored, ...block },
);

const interruptPart = describedObject(
  'A question of the bot that waits for the visitor: it is answered once (`respondToInterrupt`), or cancelled. Its id ' +
    'is unique on the server. A refusal is an answer: `{approved: false}`.',
  { ...stored, ...interruptSchemas.fields },
);

const part = v.variant('type', [
  statusPart,
  reasoningPart,
  toolPart,
  sourcePart,
  suggestionsPart,
  blockPart,
  interruptPart,
]);

const newPart = described(
  v.variant('type', [
    v.object({ ...sent, ...reasoning }),
    v.object({ ...sent, ...tool }),
    v.object({ ...sent, ...source }),
    v.object({ ...sent, ...suggestions }),
    v.object({ ...sent, ...block }),
  ]),
  'A part of a message that is sent whole.',
);

export const partSchemas = {
  /** A part as messages have it. */
  part,
  interrupt: interruptPart,
  newParts: v.array(newPart),
  /** The changed part is validated as a part. */
  partChange: writtenType<PartChange>(
    'PartChange',
    'parts.ts',
    v.looseObject({ id, textDelta: maybe(text) }),
  ),
};

export const types = {
  PartFields: common,
  ToolState: toolState,
  StatusPart: statusPart,
  ReasoningPart: reasoningPart,
  ToolPart: toolPart,
  SourcePart: sourcePart,
  SuggestionsPart: suggestionsPart,
  BlockPart: blockPart,
  InterruptPart: interruptPart,
  Part: part,
  NewPart: newPart,
};
