// The settings of the object store for files, and the options that they select.
import * as v from 'valibot';
import { matching, type Setting, type SettingsOf } from '../../startup/setting.ts';
import { StartError } from '../../startup/start-error.ts';
import type { S3Options } from './requests.ts';

/** The rows of these settings for settings.ts. */
export const s3Settings = {
  S3_URL: {
    doc: 'Object store for files instead of the data folder: the address of a bucket of S3 or a compatible store, with a prefix if other programs use the bucket, such as `https://s3.eu-central-1.amazonaws.com/bucket/webchat` ([self-hosting.md](../guides/self-hosting.md#files-in-an-object-store)).',
    defaultDoc: 'files are in `DATA_DIR`',
    schema: v.pipe(
      v.string(),
      v.check(
        // Without characters that are encoded in different ways before they are signed.
        (text) =>
          /^https?:\/\/[^/?#@\s]+(?:\/[\w.-]+)+\/?$/.test(text) &&
          URL.canParse(text) &&
          !/\/\.+(?:\/|$)/.test(text),
        'must be an http or https address with a bucket, such as `https://host/bucket/prefix`',
      ),
      v.transform((text) => text.replace(/\/$/, '')),
    ),
  },
  S3_REGION: {
    doc: 'Region of the object store, with which requests are signed; `auto` for some stores.',
    default: 'us-east-1',
    schema: matching(/^[\w-]{1,100}$/, 'must be 1 to 100 letters, digits, `-` or `_`'),
  },
  S3_ACCESS_KEY_ID: {
    doc: 'Key for the object store; required with `S3_URL`. It must allow to list the bucket, and to read, write and delete its objects.',
    defaultDoc: 'none',
    schema: matching(/^[\x21-\x7e]{1,500}$/, 'must be ASCII characters without spaces'),
    isSecret: true,
  },
  S3_SECRET_ACCESS_KEY: {
    doc: 'Secret of this key.',
    defaultDoc: 'none',
    schema: matching(/^[\x21-\x7e]{1,500}$/, 'must be ASCII characters without spaces'),
    isSecret: true,
  },
} satisfies Record<string, Setting<unknown>>;

type S3Settings = SettingsOf<typeof s3Settings>;

/** Returns undefined without an object store. Throws StartError when a setting is missing. */
export function readS3(settings: S3Settings): S3Options | undefined {
  const { S3_URL: url, S3_REGION: region } = settings;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (url === undefined) {
    if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
    throw new StartError('S3_URL is required with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new StartError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are required with S3_URL.');
  }
  return { url, region, accessKeyId, secretAccessKey };
}
