// The files that a member attaches to a reply or a note: each is uploaded at once, and waits in the composer until it is sent.
// They live as long as the page.
import { signal } from '@preact/signals';
import { upload } from '../../../../client/chat/upload.ts';
import { limits } from '../../../../protocol/limits.ts';
import { visitorLimits } from '../../../../protocol/visitor-limits.ts';
import { shortenFileName } from '../../../../widget/media/attachments/file-payload.ts';
import { counted, t } from '../../../ui/texts.ts';
import { describeFileError, isPassing } from '../api/describe-error.ts';
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
  /** Once it is uploaded. */
  file?: UploadedFile;
}

export interface UploadedFile {
  id: string;
  /** As the server has detected it. */
  contentType: string;
  /** Where the visitor can read it; files of notes have no such address. */
  url?: string;
}

export interface Attachments {
  /** Attachments of a conversation, in the order in which they were added. Reading them while rendering subscribes. */
  of(conversationId: string): readonly Attachment[];
  add(conversationId: string, files: readonly File[]): void;
  retry(conversationId: string, key: string): void;
  /** Removes one; its upload ends. */
  remove(conversationId: string, key: string): void;
  /** Uploaded files, with their names. */
  uploaded(conversationId: string): (UploadedFile & { title: string })[];
  /** Removes those that were sent. */
  removeSent(conversationId: string, fileIds: readonly string[]): void;
  /** Ends all uploads. */
  dispose(): void;
}

const none: readonly Attachment[] = [];

/** Purposes of files: how they are announced to the server, and how many are allowed. */
interface Purpose {
  /** Why one more is refused. */
  tooMany(count: number): string;
  maxFiles: number;
  announce(
    input: { id: string; key: string; size: number; contentType?: string },
    options: { signal: AbortSignal },
  ): Promise<UploadedFile & { uploadUrl: string }>;
  /** The server corrects the declared type after it has inspected the bytes. */
  detectedType(conversationId: string, file: UploadedFile, signal: AbortSignal): Promise<string>;
}

/** The purposes of the files of a member. */
export const attachmentPurposes = ({ inbox }: Pick<InboxApi, 'inbox'>) =>
  ({
    reply: {
      tooMany: (count) =>
        counted(count, 'A reply has at most {count} file.', 'A reply has at most {count} files.'),
      maxFiles: visitorLimits.filesPerMessage,
      announce: async (input, options) => (await inbox.createReplyFile(input, options)).file,
      async detectedType(_, { url = '' }, signal) {
        const response = await fetch(url, { method: 'HEAD', signal, credentials: 'omit' });
        return response.headers.get('content-type') ?? 'application/octet-stream';
      },
    },
    note: {
      tooMany: (count) =>
        counted(count, 'A note has at most {count} file.', 'A note has at most {count} files.'),
      maxFiles: limits.inbox.noteFiles,
      announce: async (input, options) => (await inbox.createNoteFile(input, options)).file,
      detectedType: async (id, file, signal) =>
        (await inbox.getNoteFile({ id, fileId: file.id }, { signal })).file.contentType,
    },
  }) satisfies Record<string, Purpose>;

/** Creates the attachments of a member for one purpose. `announce`: for screen readers. */
export function createAttachments(purpose: Purpose, announce: (text: string) => void): Attachments {
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
  const attachmentsOf = (id: string) => all.peek().get(id) ?? none;
  const change = (id: string, key: string, fields: Partial<Attachment>) =>
    put(
      id,
      attachmentsOf(id).map((attachment) =>
        attachment.key === key ? { ...attachment, ...fields } : attachment,
      ),
    );
  const without = (id: string, isGone: (attachment: Attachment) => boolean) =>
    put(
      id,
      attachmentsOf(id).filter((attachment) => !isGone(attachment)),
    );

  async function start(id: string, { key, content }: Attachment): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.set(key, controller);
    try {
      const { uploadUrl, ...file } = await purpose.announce(
        {
          ...{ id, key: shortenFileName(content.name), size: content.size },
          ...(content.type && { contentType: content.type }),
        },
        { signal },
      );
      await upload({
        uploadUrl,
        blob: content,
        signal,
        onProgress: (sent) => !signal.aborted && change(id, key, { sent }),
      });
      const contentType = await purpose.detectedType(id, file, signal);
      if (signal.aborted) return;
      change(id, key, { status: 'uploaded', sent: content.size, file: { ...file, contentType } });
      announce(t('{name} is attached.', { name: content.name }));
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
          attachmentsOf(id).filter(({ status }) => status !== 'failed').length >= purpose.maxFiles;
        const problem = isFull
          ? purpose.tooMany(purpose.maxFiles)
          : content.size === 0
            ? t('The file is empty, or a folder.')
            : undefined;
        const attachment: Attachment = {
          ...{ key: `file-${++count}`, content, sent: 0 },
          ...(problem ? { status: 'failed', problem } : { status: 'uploading' }),
        };
        put(id, [...attachmentsOf(id), attachment]);
        if (!problem) void start(id, attachment);
      }
    },
    retry(id, key) {
      const attachment = attachmentsOf(id).find((each) => each.key === key);
      if (!attachment?.canRetry) return;
      const { problem: _, canRetry: __, ...rest } = attachment;
      const next: Attachment = { ...rest, status: 'uploading', sent: 0 };
      put(
        id,
        attachmentsOf(id).map((each) => (each.key === key ? next : each)),
      );
      void start(id, next);
    },
    remove(id, key) {
      running.get(key)?.abort();
      without(id, (each) => each.key === key);
    },
    uploaded: (id) =>
      attachmentsOf(id).flatMap(({ file, content }) => (file ? [{ ...file, title: content.name }] : [])),
    removeSent(id, fileIds) {
      without(id, ({ file }) => file !== undefined && fileIds.includes(file.id));
    },
    dispose() {
      for (const controller of running.values()) controller.abort();
    },
  };
}
