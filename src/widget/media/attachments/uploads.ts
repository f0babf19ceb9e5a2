// Uploads files of the visitor, several at a time, and creates a message of them. Files that the server would refuse are
// refused here, before they are sent.
import { upload } from '../../../client/chat/upload.ts';
import { createFile } from '../../../client/operations/chat.ts';
import type { BlocItem, Payload } from '../../../protocol/message.ts';
import type { File as StoredFile } from '../../../protocol/types/chat.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Attachment, Store } from '../../chat/store/store.ts';
import { interpolate, plural } from '../../i18n/current.ts';
import { strings } from '../strings.ts';
import { fileLimits } from './file-limits.ts';
import { filePayload, messageOfFiles, shortenFileName } from './file-payload.ts';
import { formatFileSize } from './file-size.ts';
import { isScalable, scaleDown } from './scale-image.ts';

/** Active uploads, by the key of their attachment. */
const running = new Map<string, AbortController>();
/** The dimensions of pictures in pixels, if they are known. */
const dimensions = new WeakMap<Blob, { width: number; height: number }>();
let count = 0;

/** Adds files to the composer and starts to upload them. */
export function attach(context: SessionContext, files: File[]): void {
  for (const content of files) {
    const problem = isFull(context) ? tooMany(context) : rejectionOf(context, content);
    add(context, content, content.name, problem);
  }
}

/**
 * Uploads a file, and calls `send` with the message of it, which has no other file and no text. Until then it is in the
 * composer, where the visitor can remove it. A failed upload continues when the browser is online again.
 */
export function sendFile(
  context: SessionContext,
  content: File,
  title: string,
  send: (payload: Payload) => void,
): void {
  add(context, content, title, rejectionOf(context, content), send);
}

function add(
  context: SessionContext,
  content: File,
  name: string,
  problem: Attachment['problem'],
  send?: Attachment['send'],
): void {
  const attachment: Attachment = {
    key: `file-${++count}`,
    name,
    content,
    sent: 0,
    status: problem ? 'failed' : 'uploading',
    ...(problem && { problem }),
    ...(send && { send }),
  };
  context.store.setAttachment(attachment);
  if (!problem) void start(context, attachment);
}

/** The reason why the server would refuse a file. */
function rejectionOf(context: SessionContext, content: File): Attachment['problem'] {
  // The size of an image is known after it was scaled down.
  if (!isScalable(content, fileLimits(context).imageSide) && isTooLarge(context, content)) {
    return tooLarge(context);
  }
  if (content.size === 0) return () => strings.empty;
  return isTypeAccepted(context, content) ? undefined : () => strings.wrongType;
}

/** Whether the server and the page take files of this type and name. */
export const isTypeAccepted = (context: SessionContext, file: Pick<File, 'type' | 'name'>): boolean =>
  fileLimits(context).types.every((patterns) => matches(file, patterns));

function matches({ type, name }: Pick<File, 'type' | 'name'>, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith('.')
      ? name.toLowerCase().endsWith(pattern)
      : pattern.endsWith('/*')
        ? type.startsWith(pattern.slice(0, -1))
        : type === pattern,
  );
}

const tooMany = (context: SessionContext) => () => plural('tooMany', fileLimits(context).count);
const tooLarge = (context: SessionContext) => () =>
  interpolate(strings.tooLarge, { size: formatFileSize(fileLimits(context).bytes) });
const isTooLarge = (context: SessionContext, { size }: Blob) => size > fileLimits(context).bytes;

/** Whether the composer has as many files as a message can contain. */
const isFull = (context: SessionContext) =>
  context.store.state.attachments.filter(({ status, send }) => status !== 'failed' && !send).length >=
  fileLimits(context).count;

/** Retries a failed upload. */
export function retryAttachment(context: SessionContext, attachment: Attachment): void {
  if (!attachment.send && isFull(context)) {
    context.store.setAttachment({ ...attachment, problem: tooMany(context) });
    return;
  }
  const { problem: _, canRetry: __, ...rest } = attachment;
  const next: Attachment = { ...rest, status: 'uploading' };
  context.store.setAttachment(next);
  void start(context, next);
}

/** Removes a file from the composer; an active upload ends. */
export function removeAttachment({ store }: SessionContext, key: string): void {
  running.get(key)?.abort(new DOMException('The upload was cancelled.', 'AbortError'));
  store.removeAttachment(key);
}

async function start(context: SessionContext, attachment: Attachment): Promise<void> {
  const { client, store, getSignal, getConversationId, report, announce } = context;
  const { key, name, send } = attachment;
  const scope = getSignal();
  const controller = new AbortController();
  const { signal } = controller;
  const leave = () => controller.abort(scope.reason);
  scope.addEventListener('abort', leave);
  running.set(key, controller);
  const change = (fields: Partial<Attachment>) => {
    const attachment = store.state.attachments.find((other) => other.key === key);
    if (attachment && !signal.aborted) store.setAttachment({ ...attachment, ...fields });
  };
  try {
    const content = await scaleDown(attachment.content, fileLimits(context).imageSide);
    change({ content });
    if (isTooLarge(context, content)) {
      change({ status: 'failed', problem: tooLarge(context) });
      return;
    }
    await getConversationId();
    signal.throwIfAborted();
    const contentType = content.type || undefined;
    const { name: fileName = name } = attachment.content as Partial<File>;
    const { file } = await client
      .with({ createFile })
      .createFile(
        { key: shortenFileName(fileName), size: content.size, ...(contentType && { contentType }) },
        { signal },
      );
    await upload({
      uploadUrl: file.uploadUrl,
      blob: content,
      signal,
      onProgress: (bytes) => change({ sent: bytes }),
    });
    if (send) {
      signal.throwIfAborted();
      store.removeAttachment(key);
      send(
        filePayload(content.type, {
          ...{ url: file.url, fileId: file.id, title: name, size: content.size },
          ...dimensions.get(content),
        }),
      );
    } else {
      change({ status: 'uploaded', sent: content.size, file: await readContentType(file, signal) });
    }
    if (!signal.aborted) announce(interpolate(strings.uploaded, { name }));
  } catch (error) {
    if (signal.aborted) {
      // Left by a restart or another visitor: the file is not part of this conversation any more.
      if (scope.aborted) store.removeAttachment(key);
      return;
    }
    const { code, message, retryable } = report(error);
    change({
      status: 'failed',
      problem: () => (code === 'rejected' ? message : strings.uploadFailed),
      canRetry: retryable,
    });
    if (send) resume(context, key, scope);
  } finally {
    scope.removeEventListener('abort', leave);
    running.delete(key);
  }
}

/** Retries a failed upload when the browser is online again, and removes it when its conversation is left. */
function resume(context: SessionContext, key: string, scope: AbortSignal): void {
  const { store } = context;
  const failed = () =>
    store.state.attachments.find((other) => other.key === key && other.status === 'failed' && other.canRetry);
  const retry = () => {
    const attachment = failed();
    if (attachment) retryAttachment(context, attachment);
  };
  addEventListener('online', retry, { once: true, signal: scope });
  scope.addEventListener('abort', () => store.removeAttachment(key));
}

/** Reads the media type from the served file, because the server may have corrected the declared one. */
async function readContentType(file: StoredFile, signal: AbortSignal): Promise<StoredFile> {
  const response = await fetch(file.url, { method: 'HEAD', signal, credentials: 'omit' }).catch(
    () => undefined,
  );
  return { ...file, contentType: response?.headers.get('content-type') ?? 'application/octet-stream' };
}

/** Stores the dimensions of a picture, so that the message can reserve its space. */
export function setDimensions(content: Blob, width: number, height: number): void {
  dimensions.set(content, { width, height });
}

/**
 * Removes the uploaded files from the composer and returns the message of them: a single file as its own type; several
 * files, or files and text, as a bloc, files first. Returns undefined without a file.
 */
export function takeAttachments(store: Store, text: string): Payload | undefined {
  const items: BlocItem[] = [];
  for (const { key, name, content, file } of store.state.attachments) {
    if (!file) continue;
    items.push(
      filePayload(file.contentType, {
        ...{ url: file.url, fileId: file.id, title: name, size: content.size },
        ...dimensions.get(content),
      }),
    );
    store.removeAttachment(key);
  }
  return messageOfFiles(items, text);
}
