// The fields of the configuration for the files of visitors. Not in config.ts, because the extras bundle contains them and
// the bundle of the chat does not.
import type { FieldTable } from './config.ts';
import { isText, type Kind } from './field-kinds.ts';

/** Media types as in the attribute `accept`, without file extensions. */
export const mediaTypes: Kind = {
  validate: (value) => isText(value) && value.split(',').every((type) => mediaTypePattern.test(type.trim())),
};
const mediaTypePattern = /^[a-z0-9][\w!#$&^.+-]*\/(\*|[a-z0-9][\w!#$&^.+-]*)$/i;
/** The media types of such a text, in lower case. */
export const readMediaTypes = (text: string | undefined): string[] =>
  text
    ? text
        .toLowerCase()
        .split(',')
        .map((type) => type.trim())
    : [];

export const fileFields = {
  maxFiles: [{ min: 1, max: 8 }, 8],
  maxFileBytes: [{ min: 1, max: 1_073_741_824 }],
  fileTypes: [mediaTypes],
  maxImageSide: [{ min: 0, max: 16_384 }, 2_560],
} as const satisfies FieldTable;
