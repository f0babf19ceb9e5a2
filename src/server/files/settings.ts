// The settings of the files of visitors.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import { listOf, type SettingsOf, setting, wholeNumber } from '../startup/setting.ts';
import type { FileLimits } from './attachments.ts';
import { typePattern } from './bytes/media-type.ts';

export const visitorFileSettings = {
  MAX_FILE_BYTES: setting({
    doc: `Maximum size of one file of a visitor in bytes, at most ${limits.maxFileBytes}.`,
    default: String(limits.fileBytes),
    schema: wholeNumber(1, limits.maxFileBytes),
  }),
  FILE_TYPES: setting({
    doc: 'Media types of files that visitors can send, separated by commas, such as `image/*,application/pdf`.',
    defaultDoc: 'all',
    schema: v.pipe(
      v.string(),
      v.toLowerCase(),
      listOf(
        (type) => typePattern.test(type),
        'must be media types such as `image/*` or `application/pdf`, separated by commas',
      ),
    ),
  }),
};

export type VisitorFileSettings = SettingsOf<typeof visitorFileSettings>;

/** The limits of the server for each file of a visitor. */
export const readFileLimits = (settings: VisitorFileSettings): FileLimits => ({
  maxBytes: settings.MAX_FILE_BYTES,
  types: settings.FILE_TYPES ?? [],
});
