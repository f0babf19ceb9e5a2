// The settings of mails and of Web Push.
import * as v from 'valibot';
import type { AddressSettings } from '../startup/address-settings.ts';
import { listOf, matching, oneOf, type SettingsOf, setting, wholeNumber } from '../startup/setting.ts';
import { StartError } from '../startup/start-error.ts';
import type { PushOptions } from './answer-pushes.ts';
import type { MailOptions } from './mailer.ts';

/** The settings of mails. */
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

/** The settings of Web Push. */
export const pushSettings = {
  PUSH_CONTACT: setting({
    doc: 'Address of the operator, `mailto:…` or `https://…`, which push services get. It switches on Web Push: answers reach visitors who have agreed, also when the page is closed. `PUBLIC_URL` is then required.',
    defaultDoc: 'no pushes are sent',
    schema: v.pipe(
      matching(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be `mailto:ADDRESS` or an https address'),
      v.check((text) => URL.canParse(text), 'must be `mailto:ADDRESS` or an https address'),
    ),
  }),
  PUSH_TEXT: setting({
    doc: 'Whether notifications show the text of an answer: `on` or `off`. Others may read the screen of a locked device.',
    default: 'off',
    schema: oneOf('on', 'off'),
  }),
  ANSWER_PUSH_DELAY: setting({
    doc: 'Seconds after an answer of a person until it is pushed to a visitor who has not read it and has agreed.',
    default: '30',
    schema: wholeNumber(0, 86_400),
  }),
  PUSH_HOSTS: setting({
    doc: 'Hosts of push services in addition to those of Chromium, Edge, Firefox and Safari, separated by commas, such as `push.example.com:8443`. They can be in a private network, and without TLS.',
    defaultDoc: 'none',
    schema: listOf(
      (host) => URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host,
      'must be host names such as `push.example.com:8443`, separated by commas',
    ),
  }),
};

type PushSettings = SettingsOf<typeof pushSettings> & Pick<AddressSettings, 'PUBLIC_URL'>;

/** Returns the options for sending pushes; undefined without PUSH_CONTACT. Throws StartError without PUBLIC_URL. */
export function readPush(settings: PushSettings): PushOptions | undefined {
  const { PUSH_CONTACT: subject, PUBLIC_URL: address } = settings;
  if (subject === undefined) return undefined;
  if (address === undefined) throw new StartError('PUSH_CONTACT needs PUBLIC_URL, with which links begin.');
  return {
    subject,
    address,
    ownHosts: settings.PUSH_HOSTS ?? [],
    hasText: settings.PUSH_TEXT === 'on',
    delay: settings.ANSWER_PUSH_DELAY * 1_000,
  };
}
