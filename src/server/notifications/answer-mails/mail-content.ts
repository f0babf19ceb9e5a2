// What a mail to a visitor contains, apart from its addresses. Types only.
import type { Mail } from '../mailer.ts';

export interface MailContent {
  /** When it may be sent, in milliseconds since 1970. */
  earliest: number;
  /** The sequence number of the last answer in it; undefined for a transcript. */
  upTo?: number | undefined;
  /** Whether it has a link that opens the conversation. */
  hasLink: boolean;
  /** `returnUrl`: the address of that link; '' without one. */
  mail(urls: { returnUrl: string; unsubscribeUrl: string }): Mail;
}
