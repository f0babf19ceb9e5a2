// Notifications about answers to visitors who have gone: mails and pushes.
import { createAnswerMails } from './answer-mails.ts';
import { createAnswerPushes, type PushOptions } from './answer-pushes.ts';
import type { AnswerNotice } from './due-answers.ts';
import type { MailOptions } from './mailer.ts';
import type { PushSender } from './push-sender.ts';
import type { TranscriptMails } from './transcript-mails.ts';

export interface AnswerNotifications {
  /** For the transcript: the ways in which visitors are notified of answers. */
  notices: readonly AnswerNotice[];
  /** Sends transcripts, if the server sends mails. */
  transcriptMails: TranscriptMails | undefined;
  /** Looks for answers to send now, and not only when the next is due. */
  send(): void;
  /** Ends what is being sent. */
  close(): Promise<void>;
}

/** `sender`: sends pushes, if the server does. */
export function createAnswers(
  { mail, push }: { mail: MailOptions | undefined; push: PushOptions | undefined },
  { sender, ...options }: Parameters<typeof createAnswerMails>[1] & { sender: PushSender | undefined },
): AnswerNotifications {
  const mails = createAnswerMails(mail, options);
  const { onTeamChange: _, ...pushOptions } = options;
  const pushes = push && sender && createAnswerPushes(push, { ...pushOptions, sender });
  const notices = [mails?.notice, pushes].filter((notice) => notice !== undefined);
  return {
    notices,
    transcriptMails: mails?.transcripts,
    send() {
      for (const { onNotice } of notices) onNotice();
    },
    async close() {
      await mails?.close();
    },
  };
}
