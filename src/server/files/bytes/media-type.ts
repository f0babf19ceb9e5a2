// Media types of files: declared, by extension or by the first bytes; which types are allowed, and which a browser can
// show. Neither the declared type nor the content is trusted.
import { extname } from 'node:path';

/** Bytes at the beginning of a file that are inspected. */
export const headBytes = 65_536;

const unknown = 'application/octet-stream';
const byExtension: Record<string, string> = {
  '.avif': 'image/avif',
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docm': 'application/vnd.ms-word.document.macroenabled.12',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.epub': 'application/epub+zip',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.m4a': 'audio/mp4',
  '.md': 'text/markdown',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.odp': 'application/vnd.oasis.opendocument.presentation',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptm': 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.rtf': 'application/rtf',
  '.srt': 'application/x-subrip',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.vtt': 'text/vtt',
  '.wav': 'audio/wav',
  '.weba': 'audio/webm',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.xls': 'application/vnd.ms-excel',
  '.xlsm': 'application/vnd.ms-excel.sheet.macroenabled.12',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.zip': 'application/zip',
};

/**
 * Returns the declared type of a file in lower case without parameters, or the type of its extension when none is
 * declared. Returns undefined when the declared text is not a media type (RFC 6838, 4.2).
 */
export function declaredType(contentType: string | undefined, key: string): string | undefined {
  const type = baseType(contentType ?? '');
  if (type === '') return byExtension[extname(key).toLowerCase()] ?? unknown;
  return /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/.test(type) ? type : undefined;
}

/** Returns a content type in lower case without its parameters. */
export const baseType = (text: string): string => (text.split(';')[0] ?? '').trim().toLowerCase();

/** Returns the parameter `charset` of a content type (RFC 9110, 8.3.1) in lower case; undefined when it has none. */
export function charsetOf(contentType: string | null | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(contentType ?? '')?.[1]?.toLowerCase();
}

/** Returns a media type with the charset of the content type that was declared, if it has one. */
export function withCharset(type: string, contentType: string | null | undefined): string {
  const charset = charsetOf(contentType);
  return charset === undefined ? type : `${baseType(type)}; charset=${charset}`;
}

/** Returns the type of a complete file: the one that its first bytes identify, otherwise the declared one. */
export async function actualType(declaredContentType: string, head: Uint8Array): Promise<string> {
  const declared = baseType(declaredContentType);
  // Text in UTF-16, such as Excel saves it, begins like a frame of MP3.
  if (declared.startsWith('text/') && isUtf16(head)) return declared;
  // Loaded with the first file: it consists of 20 modules.
  const { fileTypeFromBuffer } = await import('file-type');
  // A file that breaks the detection has an unknown type.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found) return declared.startsWith('image/') ? unknown : declared;
  const type = baseType(found.mime);
  // The first bytes identify only the container: a voice message in WebM begins like a video.
  if (isMedia(declared) && isMedia(type) && container(declared) === container(type)) return declared;
  if (isMedia(declared) || declared.startsWith('image/')) return type;
  // Text can begin with the signature of another format (`BM`, `MZ`); content with a zero byte is not text.
  if (declared.startsWith('text/') && !head.includes(0)) return declared;
  // Many formats use this container, and the first bytes do not identify which.
  return generic.has(type) ? declared : type;
}

/** True when the type matches one of the patterns (`image/*`, `application/pdf`), or there are none. */
export function isAllowed(type: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => pattern === type || isFamily(pattern, type));
}

/** A media type, or all of a kind: `application/pdf`, `image/*`. */
export const typePattern = /^[a-z0-9][\w!#$&^.+-]*\/(\*|[a-z0-9][\w!#$&^.+-]*)$/;

/** Types that a browser shows without executing content. */
const passive = /^(image\/(png|jpeg|gif|webp|avif)|(audio|video)\/[\w.-]+)$/;
/** Types that can contain scripts or styles: they are sent as another type. */
const active = /html|svg|\bxml|\+xml|script|\bcss|\bxsl|mathml|multipart|mhtml|message\/|manifest|shockwave/;

/** Returns how a file is sent: the content type, and whether a browser can show it inline. */
export function servedAs(type: string): { contentType: string; inline: boolean } {
  if (active.test(type)) return { contentType: unknown, inline: false };
  return { contentType: type, inline: passive.test(type) };
}

const generic = new Set([
  'application/zip',
  'application/gzip',
  'application/xml',
  'application/x-cfb',
  'application/java-archive',
  unknown,
]);

/** True for the byte order mark of UTF-16. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const isMedia = (type: string): boolean => /^(audio|video)\//.test(type);
const isFamily = (pattern: string, type: string): boolean =>
  pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1));

/** Spellings of one container. */
const aliases: Record<string, string> = {
  m4a: 'mp4',
  m4v: 'mp4',
  m4b: 'mp4',
  wave: 'wav',
  'vnd.wave': 'wav',
  mp3: 'mpeg',
  oga: 'ogg',
  opus: 'ogg',
  aacp: 'aac',
};

function container(type: string): string {
  const subtype = type.slice(6).replace(/^x-/, '');
  return aliases[subtype] ?? subtype;
}
