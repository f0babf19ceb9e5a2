// Uploads of files to the knowledge of a bot: announced with the session of the member, then sent with progress.
import { transfer } from '../../../client/chat/upload.ts';
import type { FilesClient } from '../console.ts';

/** Milliseconds without progress after which an upload fails. */
const silenceMs = 60_000;

interface UploadOptions {
  /** The address of the server, ending in `/`. */
  base: string;
  knowledgeBaseId: string;
  signal: AbortSignal;
  onProgress(sent: number): void;
}

/** Resolves when the server has all bytes; it reads the text afterwards. Rejects with the error of a request. */
export async function uploadToKnowledge(
  files: FilesClient,
  file: File,
  { base, knowledgeBaseId, signal, onProgress }: UploadOptions,
): Promise<void> {
  const { file: announced } = await files.upsertFile(
    {
      // A file with the same name is replaced.
      key: file.name,
      size: file.size,
      index: true,
      tags: { kbId: knowledgeBaseId },
      ...(file.type && { contentType: file.type }),
    },
    { signal },
  );
  // At the address of this page: the public address of the server can be another one, which this page may not use.
  const { pathname } = new URL(announced.uploadUrl);
  const url = new URL(pathname.slice(pathname.indexOf('/v1/') + 1), base).href;
  const headers = { 'content-type': file.type || announced.contentType };
  await transfer(url, file, 0, signal, (sent) => onProgress(sent), headers, silenceMs);
}
