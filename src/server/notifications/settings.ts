// The settings of mails.
import * as v from 'valibot';
import type { AddressSettings } from '../startup/address-settings.ts';
import { matching, type SettingsOf, setting, wholeNumber } from '../startup/setting.ts';
import { StartError } from '../startup/start-error.ts';
import type { MailOptions } from './mailer.ts';

export const mailSettings = {
  SMTP_URL: setting({
    doc: 'SMTP server that sends mails with links to members, and answers to visitors who have gone: `smtp://USER:PASSWORD@HOST:587` (with a user, only with STARTTLS) or `smtps://…`. `PUBLIC_URL` and `MAIL_FROM` are then required.',
    defaultDoc: 'no mails are sent',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^smtps?:\/\/[^/?#]+/.test(text) && URL.canParse(text),
        'must be an address such as `smtp://mail.example.com:587`',
      ),
    ),
    isSecret: true,
  }),
  MAIL_FROM: setting({
    doc: 'Sender of these mails: an address, or `Name <address>`.',
    defaultDoc: 'none',
    schema: matching(
      /^(?:[^<>@\p{C}]+ <[^\s<>@\p{C}]+@[^\s<>@\p{C}]+>|[^\s<>@\p{C}]+@[^\s<>@\p{C}]+)$/u,
      'must be an address, or `Name <address>`',
    ),
  }),
  ANSWER_MAIL_DELAY: setting({
    doc: 'Minutes after an answer of a person until it is mailed to a visitor who has not read it and has left an address. Mails are sent with `SMTP_URL`.',
    default: '5',
    schema: wholeNumber(0, 1440),
  }),
};

export type MailSettings = SettingsOf<typeof mailSettings> & Pick<AddressSettings, 'PUBLIC_URL'>;

/**
 * Returns the options for sending mails; undefined without SMTP_URL. Throws StartError if another setting is missing.
 */
export function readMail(settings: MailSettings): MailOptions | undefined {
  const { SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: address } = settings;
  if (url === undefined) return undefined;
  if (from === undefined) throw new StartError('SMTP_URL needs MAIL_FROM, the sender of mails.');
  if (address === undefined)
    throw new StartError('SMTP_URL needs PUBLIC_URL, with which the links in mails begin.');
  return { url, from, address, answerDelay: settings.ANSWER_MAIL_DELAY * 60_000 };
}
