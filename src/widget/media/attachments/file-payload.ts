// The message of uploaded files, for the chat and for the inbox. Pure.
import type { BlocItem, Payload } from '../../../protocol/message.ts';
import { visitorLimits } from '../../../protocol/visitor-limits.ts';

/** The properties of a file in a message; `size`: in bytes; `width` and `height`: of a picture, in pixels. */
interface FileFacts {
  url: string;
  fileId: string;
  title: string;
  size?: number;
  width?: number;
  height?: number;
}

/** By the type that the server has detected, and not by the file name. */
export function filePayload(
  contentType: string,
  { url, size, width, height, ...about }: FileFacts,
): BlocItem {
  // Only picture types that no browser executes as a document.
  if (/^image\/(png|jpe?g|gif|webp|avif)$/.test(contentType)) {
    return { type: 'image', imageUrl: url, ...about, ...(width && height && { width, height }) };
  }
  if (contentType.startsWith('audio/')) return { type: 'audio', audioUrl: url, ...about };
  if (contentType.startsWith('video/')) return { type: 'video', videoUrl: url, ...about };
  return { type: 'file', fileUrl: url, ...about, ...(size && { size }) };
}

/** A single file as its own type; several files, or files and text, as a bloc, files first. Undefined without a file. */
export function messageOfFiles(files: readonly BlocItem[], text: string): Payload | undefined {
  if (files.length === 0 || (files.length === 1 && !text.trim())) return files[0];
  return { type: 'bloc', items: text.trim() ? [...files, { type: 'text', text }] : [...files] };
}

/** Shortens a file name to the server's limit, and keeps its extension. */
export function shortenFileName(name: string): string {
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
  if (name.length <= visitorLimits.fileKey) return name;
  const start = name.slice(0, visitorLimits.fileKey - extension.length);
  // Removes half of a surrogate pair.
  return start.replace(/[\ud800-\udbff]$/, '') + extension;
}
