// Checks what a server sent to a bot's webhook: that it comes from who knows the secret, and now. It answers nobody.
import type { WebhookBody } from '../../protocol/webhook.ts';

/** What `verifyWebhook` takes. */
export interface WebhookRequest {
  /** The bot's signing secret, as the Admin API gives it. */
  secret: string;
  /** Of the request: those of `fetch`, or of Node. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it came. Parsed and written again it has another signature. */
  body: string;
  /** Seconds that the two clocks may differ, and a request may be on its way; 300 when left out. */
  tolerance?: number;
}

/** What was sent is not from the server, is too old, or is not an event. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/**
 * The event of a webhook request, once its signature is found to be right (Standard Webhooks: HMAC-SHA256 of
 * `id.timestamp.body`). Needs nothing but Web Crypto: Node 20, Deno, Bun, edge runtimes. Remember `event.id`: an event
 * may come twice.
 * @throws WebhookError (as a rejection): answer it with 400.
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
    // Compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return read(body);
  }
  throw new WebhookError('The signature is not right.');
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** What stands after `whsec_` is base64; a secret of another form is taken as it is. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_')
    ? fromBase64(secret.slice('whsec_'.length))
    : new TextEncoder().encode(secret);
  if (!bytes?.length) throw new WebhookError('The secret is none.');
  return bytes;
}

/** Also that of URLs (RFC 4648, 5). */
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
    const given = JSON.parse(body) as WebhookBody;
    return { ...given, event: { ...given.event, createdOn: new Date(given.event.createdOn) } };
  } catch {
    throw new WebhookError('The body is not an event.');
  }
}
