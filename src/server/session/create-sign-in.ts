// Creates the services for signing in: passwords, limits of attempts, mails with links.
import type { Logger } from 'pino';
import { createPasswords } from '../auth/passwords.ts';
import { createMailer, type MailOptions } from '../mail/mailer.ts';
import { createSignInMails } from '../mail/sign-in-mails.ts';
import type { Database } from '../storage/database.ts';
import { createAttempts } from './attempts.ts';
import { createOidc, type OidcOptions } from './oidc.ts';
import type { SessionServices } from './operations/services.ts';

export interface SignInOptions {
  db: Database;
  secret: string;
  logger: Logger;
  mail?: MailOptions | undefined;
  oidc?: OidcOptions | undefined;
  publicUrl?: string | undefined;
}

export interface SignIn {
  services: Pick<SessionServices, 'db' | 'passwords' | 'attempts' | 'mails' | 'oidc' | 'hasPasswords'>;
  /** Stops sending mails. */
  close(): Promise<void>;
}

/** `now`: milliseconds since 1970. */
export function createSignIn(
  { db, secret, logger, mail, oidc, publicUrl }: SignInOptions,
  now: () => number,
): SignIn {
  const mailer = mail && createMailer(mail, logger);
  return {
    services: {
      db,
      passwords: createPasswords(),
      attempts: createAttempts(db, secret, now),
      mails: mailer && publicUrl !== undefined ? createSignInMails(mailer, publicUrl) : undefined,
      oidc:
        oidc && publicUrl !== undefined
          ? createOidc(oidc, { address: publicUrl, secret, logger, now })
          : undefined,
      hasPasswords: !oidc?.isOnly,
    },
    close: async () => mailer?.close(),
  };
}
