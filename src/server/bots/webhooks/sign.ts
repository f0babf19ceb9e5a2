// Signs webhook requests as specified by Standard Webhooks, so that receivers can use its libraries.
// Why not `standardwebhooks`: signing is one HMAC (decision 27).
import { createHmac, randomBytes } from 'node:crypto';

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks requires 24 to 64). */
export const createSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The value of `webhook-signature`: HMAC-SHA256 of `id.timestamp.body`. `timestamp`: seconds since 1970. */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The part after `whsec_` is base64; a secret without this prefix is used as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
}
