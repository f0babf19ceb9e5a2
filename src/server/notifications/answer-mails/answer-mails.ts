// Creates what mails answers of persons to visitors who have gone, in a server that sends mails.

import { findContact } from '../../storage/notifications/contacts.ts';
import { createMailer, type MailOptions } from '../mailer.ts';
import { createTranscriptMails, type TranscriptMails } from '../transcript-mails/request-transcript.ts';
import type { AnswerNotice } from './remember-answer.ts';
import { type AnswerMailOptions, assignAnswerMails } from './send-answers.ts';

export interface AnswerMails {
  /** For the transcript: what follows from an answer. */
  notice: AnswerNotice;
  transcripts: TranscriptMails;
  /** Ends what is being sent. */
  close(): Promise<void>;
}

/** Returns undefined if the server sends no mails. */
export function createAnswerMails(
  mail: MailOptions | undefined,
  options: Omit<AnswerMailOptions, 'mailer' | 'address' | 'answerDelay'>,
): AnswerMails | undefined {
  if (!mail) return undefined;
  const { address, answerDelay } = mail;
  const mailer = createMailer(mail, options.logger);
  const onNotice = assignAnswerMails({ ...options, mailer, address, answerDelay });
  return {
    notice: {
      channel: 'mail',
      delay: answerDelay,
      async isReachable(tx, userId) {
        const contact = await findContact(tx, userId);
        return contact?.undeliverableAt === null && contact.unsubscribedAt === null;
      },
      onNotice,
    },
    transcripts: createTranscriptMails(options.now, onNotice),
    close: () => mailer.close(),
  };
}
