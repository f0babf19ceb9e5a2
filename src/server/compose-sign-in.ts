// The composition of what members sign in with: passwords, limits of attempts, mails with links.
import { createPasswords } from './auth/passwords.ts';
import type { CompositionOptions } from './compose-options.ts';
import { createMailer } from './mail/mailer.ts';
import { createSignInMails } from './mail/sign-in-mails.ts';
import { createAttempts, type SessionServices } from './session/index.ts';

/** The services of signing in. */
export interface SignIn {
  services: Pick<SessionServices, 'db' | 'passwords' | 'attempts' | 'mails' | 'hasPasswords'>;
  /** Stops sending mails. */
  close(): Promise<void>;
}

export function composeSignIn(
  { db, secret, logger, mail, publicUrl }: CompositionOptions,
  now: () => number,
): SignIn {
  const mailer = mail && createMailer(mail, logger);
  return {
    services: {
      db,
      passwords: createPasswords(),
      attempts: createAttempts(db, secret, now),
      mails: mailer && publicUrl !== undefined ? createSignInMails(mailer, publicUrl) : undefined,
      hasPasswords: true,
    },
    close: async () => mailer?.close(),
  };
}
