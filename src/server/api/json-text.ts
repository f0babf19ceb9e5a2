// Parses the JSON text of a request. Rejects invalid text, too deep nesting and too many values.
import { ApiError } from './errors.ts';

/** The maximum nesting depth of a body. Deeper values cannot be serialized safely. */
const maxDepth = 100;

/**
 * Returns the value of a text with at most `values` values in its lists and objects. `parse`: throws for text that is not
 * JSON. Throws InvalidPayload.
 */
export function parseJson(
  bytes: Uint8Array,
  values: number,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  assertShape(bytes, values);
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('InvalidPayload', 'The body is not valid JSON in UTF-8.');
  }
}

/** Counts in the text, because walking through the value takes longer than parsing. */
function assertShape(bytes: Uint8Array, values: number): void {
  let depth = 0;
  let commas = 0;
  let isInText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === codes.quote) isInText = !isInText;
    else if (isInText) index += byte === codes.backslash ? 1 : 0;
    else if (byte === codes.comma) commas += 1;
    else if (byte === codes.list || byte === codes.object) depth += 1;
    else if (byte === codes.listEnd || byte === codes.objectEnd) depth -= 1;
    if (depth > maxDepth) {
      throw new ApiError('InvalidPayload', `The body is nested deeper than ${maxDepth} levels.`);
    }
    if (commas >= values) {
      throw new ApiError('InvalidPayload', `The body has more than ${values} values.`);
    }
  }
}

const codes = {
  comma: 0x2c,
  quote: 0x22,
  backslash: 0x5c,
  list: 0x5b,
  listEnd: 0x5d,
  object: 0x7b,
  objectEnd: 0x7d,
};
