// The texts of mails with the transcript of a conversation, in addition to those that all mails to visitors have.

/** `{site}`: the host of the server. */
export interface TranscriptTexts {
  subject: string;
  intro: string;
  /** Before the link that opens the conversation, in a mail to an address that is not confirmed. */
  link: string;
  /** The author of the visitor's own messages. */
  you: string;
  /** Above the messages, if the conversation has more. */
  newest: string;
}
