// The worker thread of large configurations: it reads, checks and stores the body of a request, or creates a document of a
// stored configuration. The main thread only passes bytes on, so other requests do not wait.
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorType } from '../../../protocol/error.ts';
import { webchat } from '../../../protocol/operations/admin/webchat.ts';
import { operationsOf } from '../../../protocol/operations/apis.ts';
import { checkBody } from '../../api/check-input.ts';
import { ApiError } from '../../api/errors.ts';
import { parseJson } from '../../api/json-text.ts';
import { checkConfiguration } from './check-configuration.ts';
import { createDocument, type DocumentRequest, type WebchatAsset } from './documents.ts';

/** A text, the path of the file with it, or pieces that follow as messages. */
export type Source = { text: string } | { path: string } | 'pieces';

/** What the thread is started for. */
export type Task =
  /** Read the body of an operation, whose pieces follow as messages; `path`: where a configuration is stored. */
  | { kind: 'body'; operationId: string; values: number; path: string }
  /** Create a document of a JSON text. */
  | { kind: 'document'; source: Source; request: DocumentRequest };

/** A piece of a body or a text; null after the last one. */
export type Piece = Uint8Array | null;

/** The result. A configuration of a body is not part of `input`: `hasConfiguration` says that it was stored. */
export type Report =
  | { input: unknown; hasConfiguration: boolean }
  | { asset: WebchatAsset }
  | { refused: { type: ErrorType; message: string; metadata?: Record<string, unknown> } };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const task = workerData as Task;

function received(): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  return new Promise((resolve) =>
    port?.on('message', (piece: Piece) => {
      if (piece) pieces.push(piece);
      else resolve(Buffer.concat(pieces));
    }),
  );
}

async function readBody({ operationId, values, path }: Extract<Task, { kind: 'body' }>): Promise<Report> {
  const bytes = await received();
  const operation = operationsOf('admin').find(({ id }) => id === operationId);
  if (!operation?.input) throw new Error(`${operationId} has no body.`);
  const input = checkBody(operation.input, parseJson(bytes, values), bytes.length);
  if (operationId !== webchat.setBotWebchat.id) return { input, hasConfiguration: false };
  const { configuration, ...rest } = input as { configuration: unknown };
  await store(path, JSON.stringify(checkConfiguration(configuration).configuration));
  return { input: rest, hasConfiguration: true };
}

/** Resolves when the text and the file's entry in its folder are on disk. */
async function store(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync().finally(() => file.close());
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

async function textOf(source: Source): Promise<string> {
  if (source === 'pieces') return (await received()).toString();
  return 'path' in source ? readFile(source.path, 'utf8') : source.text;
}

async function document({ source, request }: Extract<Task, { kind: 'document' }>): Promise<Report> {
  return { asset: (await createDocument(await textOf(source), request)) as WebchatAsset };
}

void (task.kind === 'body' ? readBody(task) : document(task))
  .catch((error: unknown): Report => {
    if (!(error instanceof ApiError)) throw error;
    const { type, message, metadata } = error;
    return { refused: { type, message, ...(metadata ? { metadata } : {}) } };
  })
  .then((report) => {
    const { plain, brotli, gzip } = 'asset' in report ? report.asset : {};
    // Moved and not copied.
    port.postMessage(
      report,
      [plain, brotli, gzip].flatMap((bytes) => (bytes ? [bytes.buffer] : [])),
    );
    port.close();
  });
