// SQL of the key pair with which push services recognize the server.
import type { WriteTx } from '../database.ts';

/** In base64url (RFC 8292): a point of 65 bytes, and a number of 32 bytes. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Returns the stored pair. Stores `created` if there is none; if several processes do this at once, one pair is stored. */
export async function ensureVapidKeys(tx: WriteTx, created: VapidKeys, now: number): Promise<VapidKeys> {
  await tx.run(
    'INSERT INTO vapid_keys (id, public_key, private_key, created_at) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    created.publicKey,
    created.privateKey,
    now,
  );
  const stored = await tx.get<VapidKeys>('SELECT public_key, private_key FROM vapid_keys WHERE id = 1');
  return stored ?? created;
}
