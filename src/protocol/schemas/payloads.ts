// Schemas of the payloads of messages. `npm run generate` writes their types to ../payloads.ts, with the descriptions.
import * as v from 'valibot';
import { described, filledText, maybe } from './values.ts';

const text = filledText;
const finite = v.pipe(v.number(), v.finite());

/**
 * An object that keeps extra keys: buttons add `value` to a text, and integrations add their own keys. Its type does
 * not contain them, so that the compiler reports a misspelt field.
 */
const open = <E extends v.ObjectEntries>(entries: E) =>
  v.looseObject(entries) as unknown as v.ObjectSchema<E, undefined>;

export const textPayload = open({
  type: v.literal('text'),
  text,
  value: maybe(
    v.string(),
    'The value of the button that created this text (`postback`, `say`, choice, dropdown).',
  ),
});
export const markdownPayload = open({ type: v.literal('markdown'), markdown: text });
const title = maybe(text);
const fileId = maybe(text, 'The id of the uploaded file (`POST /files`), if it is one.');
export const imagePayload = open({ type: v.literal('image'), imageUrl: text, title, fileId });
export const audioPayload = open({ type: v.literal('audio'), audioUrl: text, title, fileId });
export const videoPayload = open({ type: v.literal('video'), videoUrl: text, title, fileId });
export const filePayload = open({ type: v.literal('file'), fileUrl: text, title, fileId });
export const locationPayload = open({
  type: v.literal('location'),
  latitude: finite,
  longitude: finite,
  address: maybe(text),
  title,
});
export const action = described(
  open({ action: v.picklist(['postback', 'url', 'say', 'handoff']), label: text, value: text }),
  'A button of a card. `handoff`: the visitor asks for a person, and the value is the reason.',
);
export const cardPayload = open({
  type: v.literal('card'),
  title: text,
  subtitle: maybe(text),
  imageUrl: maybe(text),
  actions: v.array(action),
});
export const carouselPayload = open({ type: v.literal('carousel'), items: v.array(cardPayload) });
export const option = described(open({ label: text, value: text }), 'One answer of a question.');
const question = { text, options: v.array(option), disableFreeText: maybe(v.boolean()) };
export const choicePayload = open({ type: v.literal('choice'), ...question });
export const dropdownPayload = open({ type: v.literal('dropdown'), ...question });
/** The payloads that a `bloc` may contain. */
export const blocItem = v.variant('type', [
  textPayload,
  markdownPayload,
  imagePayload,
  audioPayload,
  videoPayload,
  filePayload,
  locationPayload,
]);
export const blocPayload = described(
  open({ type: v.literal('bloc'), items: v.array(blocItem) }),
  'Several payloads in one message.',
);

/** All payloads of a message. A new type needs a row here, or in `blocItem`. */
export const payload = v.variant('type', [
  ...blocItem.options,
  cardPayload,
  carouselPayload,
  choicePayload,
  dropdownPayload,
  blocPayload,
]);

/** The types of payloads, as texts. */
export const payloadTypes = payload.options.map(({ entries }) => entries.type.literal);

/** The schemas that have a name in the OpenAPI document: `TextPayload` and so on for the types. */
export const payloadComponents = {
  Payload: payload,
  ...Object.fromEntries(
    payload.options.map((schema) => {
      const type = schema.entries.type.literal;
      return [`${type.charAt(0).toUpperCase()}${type.slice(1)}Payload`, schema];
    }),
  ),
  Action: action,
  Option: option,
};
