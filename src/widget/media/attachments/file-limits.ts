// The limits of files: those that the server has reported, narrowed by the configuration of the page.
import { fileFields, readMediaTypes } from '../../../protocol/page-api/file-fields.ts';
import { visitorLimits } from '../../../protocol/visitor-limits.ts';
import type { Webchat } from '../../../protocol/webchat.ts';
import type { SessionContext } from '../../chat/session/context.ts';

export interface FileLimits {
  /** Files in one message. */
  count: number;
  /** Bytes of one file. */
  bytes: number;
  /** Lists of patterns that are not empty; a type must match each of them. The last is the narrowest. */
  types: readonly (readonly string[])[];
  /** Longest side of an image in pixels; 0: not limited. */
  imageSide: number;
}

/** The present limits. A limit that the server has reported in another form is ignored: it decides on upload. */
export function fileLimits({ widget, store }: SessionContext): FileLimits {
  const { maxFiles, maxFileBytes, fileTypes, maxImageSide } = widget.resolve(fileFields);
  const server: Partial<Webchat['limits']> = store.state.webchat?.limits ?? {};
  const atMost = (...limits: unknown[]) =>
    Math.min(
      ...limits.map((limit) => (typeof limit === 'number' ? Math.floor(limit) : Number.POSITIVE_INFINITY)),
    );
  const serverTypes = Array.isArray(server.fileTypes)
    ? server.fileTypes.filter((type) => typeof type === 'string')
    : [];
  return {
    count: atMost(visitorLimits.filesPerMessage, maxFiles, server.filesPerMessage),
    bytes: atMost(maxFileBytes, server.fileBytes),
    types: [serverTypes, readMediaTypes(fileTypes)].filter(({ length }) => length > 0),
    imageSide: maxImageSide,
  };
}
