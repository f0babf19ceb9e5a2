// Schemas of interrupts: the part of a message, the form of an answer, and the answer itself.
import * as v from 'valibot';
import type { NewInterrupt } from '../interrupts/interrupt.ts';
import {
  checkResponse,
  type ListProperty,
  type ResponseProperty,
  type ResponseSchema,
  stringFormats,
} from '../interrupts/response-schema.ts';
import { limits } from '../limits.ts';
import { interruptAuthors, interruptReasons, interruptStates, type PartOf } from '../parts.ts';
import { anyObject } from './base/any-object.ts';
import { schemaOf } from './base/schema-of.ts';
import { count, filledText, maybe, timestamp } from './base/values.ts';
import { clientSchemas } from './client.ts';

const { interrupts: most } = limits;
const text = (length: number = most.title) => v.pipe(filledText, v.maxLength(length));
const texts = { title: maybe(text()), description: maybe(text(most.description)) };

const isUnique = (values: string[]) => new Set(values).size === values.length;
const unique = 'Expected each choice once.';
const enumeration = v.pipe(
  v.array(text()),
  v.minLength(1),
  v.maxLength(most.choices),
  v.check(isUnique, unique),
);
const titled = v.pipe(
  v.array(v.strictObject({ const: text(), title: text() })),
  v.minLength(1),
  v.maxLength(most.choices),
  v.check((choices) => isUnique(choices.map((choice) => choice.const)), unique),
);

// Objects are strict: a rule that the check does not know, such as a pattern, would not be kept.
const stringProperty = v.strictObject({
  type: v.literal('string'),
  ...texts,
  format: maybe(v.picklist(stringFormats)),
  minLength: maybe(count),
  maxLength: maybe(count),
  enum: maybe(enumeration),
  oneOf: maybe(titled),
  default: maybe(v.string()),
});
const numeric = {
  ...texts,
  minimum: maybe(v.pipe(v.number(), v.finite())),
  maximum: maybe(v.pipe(v.number(), v.finite())),
  default: maybe(v.number()),
};
const numberProperty = v.strictObject({ type: v.literal('number'), ...numeric });
const integerProperty = v.strictObject({ type: v.literal('integer'), ...numeric });
const booleanProperty = v.strictObject({ type: v.literal('boolean'), ...texts, default: maybe(v.boolean()) });
const listProperty = schemaOf<ListProperty>()(
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
);

const isDefaultValid = (property: ResponseProperty): boolean =>
  property.default === undefined ||
  checkResponse({ properties: { property } }, { property: property.default }).length === 0;

const property = schemaOf<ResponseProperty>()(
  v.pipe(
    v.variant('type', [stringProperty, numberProperty, integerProperty, booleanProperty, listProperty]),
    v.check(isDefaultValid, 'Expected a default that the property allows.'),
  ),
);

const responseSchema = schemaOf<ResponseSchema>()(
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
);

/** An interrupt as a bot asks it. */
const newInterrupt = schemaOf<NewInterrupt>()(
  v.object({
    reason: v.picklist(interruptReasons),
    message: text(most.message),
    toolId: maybe(v.string()),
    toolName: maybe(text()),
    input: maybe(anyObject),
    responseSchema: maybe(responseSchema),
    clientId: maybe(clientSchemas.name),
    readOnly: maybe(v.literal(true)),
    expiresIn: maybe(v.pipe(v.number(), v.integer(), v.minValue(most.minTime), v.maxValue(most.maxTime))),
    state: maybe(v.unknown()),
  }),
);

/** The fields of an interrupt besides those of all parts. */
const fields = {
  type: v.literal('interrupt'),
  reason: v.picklist(interruptReasons),
  message: text(most.message),
  toolId: maybe(v.string()),
  toolName: maybe(v.string()),
  input: maybe(anyObject),
  responseSchema: maybe(responseSchema),
  expiresAt: timestamp,
  state: v.picklist(interruptStates),
  by: maybe(v.picklist(interruptAuthors)),
  response: maybe(v.unknown()),
  clientId: maybe(clientSchemas.name),
  readOnly: maybe(v.literal(true)),
} satisfies { [Field in keyof Omit<PartOf<'interrupt'>, 'id' | 'at' | 'truncated' | 'omitted'>]-?: unknown };

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
