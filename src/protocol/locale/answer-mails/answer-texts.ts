// The texts of mails about answers, and of the page of their links.

/** `{name}`: who has answered; `{site}`: the host of the server. */
export interface AnswerTexts {
  subject: string;
  intro: string;
  open: string;
  validity: string;
  reason: string;
  stop: string;
  stopped: string;
  ended: string;
  failed: string;
}
