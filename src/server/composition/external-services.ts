// The other services that the settings name: object store, embedding model, mail server, push services, sign-in.
import { readPush } from '../chat/index.ts';
import { readEmbeddings, readS3 } from '../files/index.ts';
import { readMail } from '../notifications/settings.ts';
import { readOidc } from '../session/index.ts';
import type { Settings } from './settings.ts';

export type ExternalServices = ReturnType<typeof readExternalServices>;

/** Each is undefined unless it is set. Throws StartError for settings that do not fit together. */
export const readExternalServices = (settings: Settings) => ({
  s3: readS3(settings),
  embeddings: readEmbeddings(settings),
  mail: readMail(settings),
  push: readPush(settings),
  oidc: readOidc(settings),
});
