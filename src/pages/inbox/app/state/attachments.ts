// The files that a member attaches to a reply: each is uploaded at once, and waits in the composer until the reply is sent.
// They live as long as the page.
import { signal } from '@preact/signals';
import { upload } from '../../../../client/chat/upload.ts';
import type { NewFile, File as StoredFile } from '../../../../protocol/attachment.ts';
import type { BlocItem } from '../../../../protocol/message.ts';
import { visitorLimits } from '../../../../protocol/visitor-limits.ts';
import { filePayload, shortenFileName } from '../../../../widget/extras/attachments/file-payload.ts';
import { describeFileError, isPassing } from '../api/describe-file-error.ts';
import type { InboxApi } from '../api/inbox-api.ts';

export interface Attachment {
  key: string;
  content: File;
  status: 'uploading' | 'uploaded' | 'failed';
  /** Bytes. */
  sent: number;
  /** Why it failed, in one sentence. */
  problem?: string;
  /** Whether another attempt can succeed. */
  canRetry?: boolean;
  /** Once it is uploaded, with the type that the server has detected. */
  file?: StoredFile;
}

export interface Attachments {
  /** Those of a conversation, in the order in which they were added. Reading it while rendering subscribes. */
  of(conversationId: string): readonly Attachment[];
  add(conversationId: string, files: readonly File[]): void;
  retry(conversationId: string, key: string): void;
  /** Removes one; its upload ends. */
  remove(conversationId: string, key: string): void;
  /** The content of the message of those that are uploaded. */
  items(conversationId: string): BlocItem[];
  /** Removes those that are uploaded, after they were sent. */
  removeSent(conversationId: string, items: readonly BlocItem[]): void;
  /** Ends all uploads. */
  dispose(): void;
}

const none: readonly Attachment[] = [];

/** Creates the attachments of a member. `announce`: for screen readers. */
export function createAttachments(
  { inbox }: Pick<InboxApi, 'inbox'>,
  announce: (text: string) => void,
): Attachments {
  const all = signal<ReadonlyMap<string, readonly Attachment[]>>(new Map());
  const running = new Map<string, AbortController>();
  let count = 0;

  const of = (id: string) => all.value.get(id) ?? none;
  const put = (id: string, next: readonly Attachment[]) => {
    const changed = new Map(all.peek());
    if (next.length > 0) changed.set(id, next);
    else changed.delete(id);
    all.value = changed;
  };
  const known = (id: string) => all.peek().get(id) ?? none;
  const change = (id: string, key: string, fields: Partial<Attachment>) =>
    put(
      id,
      known(id).map((one) => (one.key === key ? { ...one, ...fields } : one)),
    );
  const without = (id: string, isGone: (one: Attachment) => boolean) =>
    put(
      id,
      known(id).filter((one) => !isGone(one)),
    );

  async function start(id: string, { key, content }: Attachment): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.set(key, controller);
    try {
      const { file } = await inbox.createReplyFile(
        {
          ...{ id, key: shortenFileName(content.name), size: content.size },
          ...(content.type && { contentType: content.type }),
        },
        { signal },
      );
      await upload({
        uploadUrl: file.uploadUrl,
        blob: content,
        signal,
        onProgress: (sent) => !signal.aborted && change(id, key, { sent }),
      });
      const uploaded = await withDetectedType(file, signal);
      if (signal.aborted) return;
      change(id, key, { status: 'uploaded', sent: content.size, file: uploaded });
      announce(`${content.name} is attached.`);
    } catch (error) {
      if (signal.aborted) return;
      change(id, key, {
        status: 'failed',
        problem: describeFileError(error, content.size),
        canRetry: isPassing(error),
      });
    } finally {
      running.delete(key);
    }
  }

  return {
    of,
    add(id, files) {
      for (const content of files) {
        const isFull =
          known(id).filter(({ status }) => status !== 'failed').length >= visitorLimits.filesPerMessage;
        const problem = isFull
          ? `A reply has at most ${visitorLimits.filesPerMessage} files.`
          : content.size === 0
            ? 'The file is empty, or a folder.'
            : undefined;
        const attachment: Attachment = {
          ...{ key: `file-${++count}`, content, sent: 0 },
          ...(problem ? { status: 'failed', problem } : { status: 'uploading' }),
        };
        put(id, [...known(id), attachment]);
        if (!problem) void start(id, attachment);
      }
    },
    retry(id, key) {
      const found = known(id).find((one) => one.key === key);
      if (!found?.canRetry) return;
      const { problem: _, canRetry: __, ...rest } = found;
      const next: Attachment = { ...rest, status: 'uploading', sent: 0 };
      put(
        id,
        known(id).map((one) => (one.key === key ? next : one)),
      );
      void start(id, next);
    },
    remove(id, key) {
      running.get(key)?.abort();
      without(id, (one) => one.key === key);
    },
    items: (id) =>
      known(id).flatMap(({ file, content }) =>
        file ? [filePayload(file.contentType, { url: file.url, fileId: file.id, title: content.name })] : [],
      ),
    removeSent(id, items) {
      const sent = new Set(items.map((item) => ('fileId' in item ? item.fileId : undefined)));
      without(id, ({ file }) => file !== undefined && sent.has(file.id));
    },
    dispose() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** The server corrects the declared type after it has inspected the bytes, and serves the file with it. */
async function withDetectedType(file: NewFile, signal: AbortSignal): Promise<StoredFile> {
  const response = await fetch(file.url, { method: 'HEAD', signal, credentials: 'omit' });
  return { ...file, contentType: response.headers.get('content-type') ?? 'application/octet-stream' };
}
