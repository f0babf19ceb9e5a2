// Verifies a request to a bot's webhook: its signature and its age.
// Why not `standardwebhooks`: this also runs in edge runtimes, without dependencies (decision 27).
import type { WebhookBody } from '../../protocol/webhook.ts';

/** The input of `verifyWebhook`. */
export interface WebhookRequest {
  /** The bot's signing secret, as the Admin API returns it. */
  secret: string;
  /** The headers of the request, of `fetch` or of Node. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The unchanged body. After parsing and serializing it, the signature does not match. */
  body: string;
  /** Seconds by which the time of the request may differ from the local clock; default 300. */
  tolerance?: number;
}

/** The request is not from the server, is too old, or does not contain an event. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/**
 * Verifies the signature of a webhook request (Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`) and returns its
 * event. Needs only Web Crypto: Node 20, Deno, Bun, edge runtimes. Store `event.id` to detect duplicates: an event can
 * be delivered twice.
 * @throws WebhookError (as a rejection): respond with 400.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  tolerance = 300,
}: WebhookRequest): Promise<WebhookBody> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('A header of the signature is missing.');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > tolerance) {
    throw new WebhookError('The timestamp is too far from now.');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    // `verify` compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return read(body);
  }
  throw new WebhookError('The signature is not right.');
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The part after `whsec_` is base64; a secret in another form is used as it is. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_')
    ? fromBase64(secret.slice('whsec_'.length))
    : new TextEncoder().encode(secret);
  if (!bytes?.length) throw new WebhookError('The secret is none.');
  return bytes;
}

/** Also decodes base64url (RFC 4648, 5). */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new Uint8Array([...binary].map((char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function read(body: string): WebhookBody {
  try {
    const parsed = JSON.parse(body) as WebhookBody;
    return { ...parsed, event: { ...parsed.event, createdOn: new Date(parsed.event.createdOn) } };
  } catch {
    throw new WebhookError('The body is not an event.');
  }
}
