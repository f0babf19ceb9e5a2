// Creates the services for signing in: passwords, limits of attempts, mails with links.
import type { Logger } from 'pino';
import { createPasswords } from '../auth/passwords.ts';
import { createMailer, type MailOptions } from '../notifications/mailer.ts';
import { createSignInMails } from '../notifications/sign-in-mails.ts';
import type { Database } from '../storage/database.ts';
import { createAttempts } from './attempts.ts';
import { createBackground } from './background.ts';
import { createOidc, type OidcOptions } from './oidc.ts';
import type { SessionServices } from './operations/services.ts';

export interface SignInOptions {
  db: Database;
  secret: string;
  logger: Logger;
  mail: MailOptions | undefined;
  oidc: OidcOptions | undefined;
}

export interface SignIn {
  services: Pick<
    SessionServices,
    'db' | 'passwords' | 'attempts' | 'background' | 'mails' | 'oidc' | 'hasPasswords'
  >;
  /** Finishes the work of requests that have got their responses, and stops sending mails. */
  close(): Promise<void>;
}

/** `now`: milliseconds since 1970. */
export function createSignIn({ db, secret, logger, mail, oidc }: SignInOptions, now: () => number): SignIn {
  const mailer = mail && createMailer(mail, logger);
  const background = createBackground(logger);
  return {
    services: {
      db,
      passwords: createPasswords(),
      attempts: createAttempts(db, secret, now),
      background,
      mails: mailer && createSignInMails(mailer, mail.address),
      oidc: oidc && createOidc(oidc, { secret, logger, now }),
      hasPasswords: !oidc?.isOnly,
    },
    async close() {
      await background.close();
      await mailer?.close();
    },
  };
}
