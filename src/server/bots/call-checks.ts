// Checks the arguments of the functions of the bot object.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import type { Metadata, Payload } from '../../protocol/message.ts';
import { type Configuration, secretFields } from '../../protocol/page-api/config.ts';
import { fields, readLayer } from '../../protocol/page-api/config-layers.ts';
import type { NewPart, Part, PartChange } from '../../protocol/parts.ts';
import { schemas } from '../../protocol/schemas/chat.ts';
import { partSchemas } from '../../protocol/schemas/parts.ts';
import { ApiError } from '../api/errors.ts';
import { newParts } from '../api/part-list.ts';
import { assertMessageSize, assertSize, explain } from '../api/validation.ts';
import { type AskedInterrupts, canonicalPayload } from '../chat/index.ts';

/** The payload in its canonical form. Throws a TypeError whose message names the first wrong field. */
const parsePayload = (payload: unknown): Payload => parse(schemas.payload, canonicalPayload(payload));

/** Returns the value as the schema describes it. Throws a TypeError whose message names the first wrong field. */
export function parse<S extends v.GenericSchema>(schema: S, payload: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, payload);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  // The names in an object of any data may be texts of a visitor.
  const isKnown = schema !== (schemas.data as unknown);
  throw callError(`The payload is not valid: ${path === null ? '' : `${path}: `}${explain(issue)}`, isKnown);
}

/** The parts of a message. Throws a TypeError that names the first wrong field. */
function parseParts(parts: readonly NewPart[]): Part[] {
  try {
    return newParts(parse(partSchemas.newParts, parts), new Date().toISOString());
  } catch (error) {
    throw error instanceof ApiError ? callError(error.message) : error;
  }
}

/** A message of a bot. */
export interface SentContent {
  payload: unknown;
  metadata?: Metadata;
  parts?: readonly (NewPart | Part)[];
  interrupts?: AskedInterrupts;
}

/** The content of a message. `isStream`: its parts are valid. Throws a TypeError, or PayloadTooLarge. */
export function parseContent({ payload, metadata, parts, interrupts }: SentContent, isStream: boolean) {
  const content = {
    payload: parsePayload(payload),
    ...(metadata ? { metadata } : {}),
    ...(parts ? { parts: isStream ? (parts as Part[]) : parseParts(parts as NewPart[]) } : {}),
    ...(interrupts ? { interrupts } : {}),
  };
  // A stopped stream is at most as long as streams are allowed to be, so all of its text is kept.
  if (isStream && metadata?.stopped) assertSize('metadata', metadata);
  else assertMessageSize(content);
  return content;
}

/** The change of a part. Throws a TypeError that names the first wrong field. */
export const parseChange = (id: string, fields: object): PartChange =>
  parse(partSchemas.partChange, { ...fields, id });

/** The error of a wrong call. The log of the bot has its message (`logMessage`) unless it may contain a value. */
export function callError(message: string, hasNoValue = true): TypeError {
  const error = Object.assign(new TypeError(message), hasNoValue ? { logMessage: message } : {});
  Error.captureStackTrace(error, callError);
  return error;
}

/** Validates a configuration for the page of a visitor, without its secrets. Throws a TypeError that names the field. */
export function validateWidgetConfiguration(input: unknown): Configuration {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw callError('The configuration must be an object.');
  }
  const configuration = readLayer(input, ({ field, message }) => {
    throw callError(message, Object.hasOwn(fields, field));
  });
  for (const name of secretFields) delete configuration[name];
  assertSize('configuration', configuration, limits.pageConfigurationBytes);
  return configuration;
}
