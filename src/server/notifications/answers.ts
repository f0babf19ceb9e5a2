// Notifications about answers to visitors who have gone: mails and pushes.
import { createAnswerMails } from './answer-mails.ts';
import { createAnswerPushes, type PostPush, type PushOptions, type PushService } from './answer-pushes.ts';
import type { AnswerNotice } from './due-answers.ts';
import type { MailOptions } from './mailer.ts';
import type { TranscriptMails } from './transcript-mails.ts';

export interface Answers {
  /** For the transcript: the ways in which visitors are notified of answers. */
  notices: readonly AnswerNotice[];
  /** The key and the hosts of Web Push for clients, if the server sends pushes. */
  pushService: PushService | undefined;
  /** Sends transcripts, if the server sends mails. */
  transcriptMails: TranscriptMails | undefined;
  /** Looks for answers to send now, and not only when the next is due. */
  send(): void;
  /** Ends what is being sent. */
  close(): Promise<void>;
}

export async function createAnswers(
  { mail, push }: { mail: MailOptions | undefined; push: PushOptions | undefined },
  { post, ...options }: Parameters<typeof createAnswerMails>[1] & { post: PostPush },
): Promise<Answers> {
  const mails = createAnswerMails(mail, options);
  const { onTeamChange: _, ...pushOptions } = options;
  const pushes = await createAnswerPushes(push, { ...pushOptions, post });
  const notices = [mails?.notice, pushes?.notice].filter((notice) => notice !== undefined);
  return {
    notices,
    pushService: pushes?.service,
    transcriptMails: mails?.transcripts,
    send() {
      for (const { onNotice } of notices) onNotice();
    },
    async close() {
      await mails?.close();
    },
  };
}
