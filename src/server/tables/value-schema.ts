// Reads the schema of the values of a column: the keywords that this server validates. Others are dropped.
// Why not `ajv` or `@cfworker/json-schema`: both run patterns of callers without a time limit (decision 24).
import type { ValueSchema } from '../../protocol/table.ts';
import { ApiError } from '../api/errors.ts';
import { typeOf } from './query/compare.ts';
import { compilePattern, PatternError } from './query/pattern.ts';

type Fields = Record<string, unknown>;

/** Reads the schema of one value, with the keywords that this server validates. */
export function readValue(input: unknown, path: string): ValueSchema {
  if (typeOf(input) !== 'object') throw invalid(`${path}: a column is described by an object with a type.`);
  const fields = input as Fields;
  const { type, nullable } = readType(fields, path);
  const schema: ValueSchema = { type };
  if (nullable !== undefined) schema.nullable = nullable;
  if (typeof fields.description === 'string') schema.description = fields.description;
  if (type === 'string') Object.assign(schema, textKeywords(fields, path));
  if (type === 'array' && fields.items !== undefined) schema.items = readValue(fields.items, `${path}.items`);
  if (type === 'object' && fields.properties !== undefined) {
    if (typeOf(fields.properties) !== 'object') throw invalid(`${path}: properties are an object.`);
    const properties = fields.properties as Fields;
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([key, part]) => [key, readValue(part, `${path}.${key}`)]),
    );
    Object.assign(schema, requiredOf(fields.required, Object.keys(properties), `${path}: required`));
  }
  return schema;
}

const types = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;

/** Also accepts `["string", "null"]`, with which other tools declare a nullable type. */
function readType(
  fields: Fields,
  path: string,
): { type: ValueSchema['type']; nullable: boolean | undefined } {
  const typeNames = Array.isArray(fields.type) ? fields.type : [fields.type];
  const several = typeNames.filter((one) => one !== 'null');
  const type = types.find((one) => one === (several.length > 0 ? several[0] : typeNames[0]));
  if (!type || several.length > 1) throw invalid(`${path}: type is one of ${types.join(', ')}.`);
  if (fields.nullable !== undefined && typeof fields.nullable !== 'boolean') {
    throw invalid(`${path}: nullable is true or false.`);
  }
  return { type, nullable: typeNames.length > 1 ? true : fields.nullable };
}

function textKeywords({ format, pattern, enum: allowedTexts }: Fields, path: string): Partial<ValueSchema> {
  const keywords: Partial<ValueSchema> = {};
  if (format === 'date-time') keywords.format = format;
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') throw invalid(`${path}: pattern is a text.`);
    try {
      compilePattern(pattern);
    } catch (error) {
      if (error instanceof PatternError) throw invalid(`${path}: ${error.message}`);
      throw error;
    }
    keywords.pattern = pattern;
  }
  if (allowedTexts !== undefined) {
    const texts =
      Array.isArray(allowedTexts) &&
      allowedTexts.length > 0 &&
      allowedTexts.every((word) => typeof word === 'string');
    if (!texts) throw invalid(`${path}: enum is a list of texts.`);
    keywords.enum = allowedTexts;
  }
  return keywords;
}

/** Returns the names of a list of required fields, which must all be known. Throws InvalidJsonSchema. */
export function requiredOf(input: unknown, names: string[], path: string): { required?: string[] } {
  if (input === undefined) return {};
  if (!Array.isArray(input)) throw invalid(`${path} is a list of names.`);
  const knownNames = new Set<unknown>(names);
  const unknown = input.find((name) => !knownNames.has(name));
  if (unknown !== undefined) throw invalid(`${path} names ${JSON.stringify(unknown)}, which is not there.`);
  return input.length === 0 ? {} : { required: [...new Set<string>(input)] };
}

/** Returns the error for a schema that cannot be stored. */
export function invalid(message: string): ApiError {
  return new ApiError('InvalidJsonSchema', `schema: ${message}`);
}
