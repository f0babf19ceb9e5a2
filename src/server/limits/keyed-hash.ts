// Keys that contain addresses of visitors, as processes share them by the database.
import { createHmac } from 'node:crypto';

/** Returns a function that returns the keyed hash of a text: 162 bits, as 27 characters. */
export const createKeyedHash =
  (secret: string) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, 27);
