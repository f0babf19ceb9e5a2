// Whether a voice message can be recorded, and with which media type.
import type { ViewProps } from '../../chat/view.ts';
import { fileLimits } from '../attachments/file-limits.ts';
import { isTypeAccepted } from '../attachments/uploads.ts';

export interface RecordingType {
  /** With its codec, for MediaRecorder. */
  mimeType: string;
  /** The same without the codec, and the name of the file. */
  file: { type: string; name: string };
}

/** WebM for Chromium and Firefox, MP4 (AAC) for Safari, Ogg for old versions of Firefox. */
const candidates = [
  ['audio/webm;codecs=opus', 'weba'],
  ['audio/mp4', 'm4a'],
  ['audio/ogg;codecs=opus', 'ogg'],
] as const;
/** Bytes: a limit below it has room for a few seconds only. */
const minBytes = 20_000;

/**
 * The first type that the browser records, and that the server and the page take. Undefined if there is none, if the page
 * is not secure, or if the server takes no files: then there is no button.
 */
export function recordingType({ store, session }: ViewProps): RecordingType | undefined {
  const { context } = session;
  const { MediaRecorder } = self;
  if (!MediaRecorder || !navigator.mediaDevices || !store.has('files')) return;
  if (fileLimits(context).bytes < minBytes) return;
  for (const [mimeType, extension] of candidates) {
    const file = { type: mimeType.replace(/;.*/, ''), name: `voice-message.${extension}` };
    if (MediaRecorder.isTypeSupported(mimeType) && isTypeAccepted(context, file)) return { mimeType, file };
  }
  return;
}
