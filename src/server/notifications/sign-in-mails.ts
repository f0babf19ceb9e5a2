// The texts of the mails to members, as plain text and as HTML: with a one-time link, and about a change of their address.
import type { LinkPurpose } from '../storage/admin/sign-in.ts';
import { mailButton, mailParagraph, memberMailHtml } from './mail-html.ts';
import { inOneLine, type Mail, type Mailer } from './mailer.ts';

interface MailContent {
  to: string;
  /** The address with the token in its fragment. */
  url: string;
  workspaceName: string;
  /** Identifies the link in the `Message-ID`, without revealing its token. */
  id: string;
}

interface Texts {
  subject(name: string): string;
  text(name: string): string;
  /** Below the subject in HTML, where the link is a button. */
  lead?: string;
  button: string;
  end: string;
}

const ignore = 'If you did not ask for this, ignore this mail: nothing has changed.';

/** The owner gets the link of the first start from the server itself. */
type MailedPurpose = Exclude<LinkPurpose, 'setup'>;

const texts: Record<MailedPurpose, Texts> = {
  invitation: {
    subject: (name) => `You are invited to ${name}`,
    text: (name) =>
      `You are invited to the workspace ${name}. Open this link to choose a password and sign in:`,
    lead: 'Choose a password, and sign in to the console of the team.',
    button: 'Accept the invitation',
    end: 'The link works once, within 7 days. If you do not expect it, ignore this mail.',
  },
  'sign-in': {
    subject: (name) => `Sign in to ${name}`,
    text: (name) => `Open this link to sign in to the workspace ${name}:`,
    button: 'Sign in',
    end: `The link works once, within 15 minutes. ${ignore}`,
  },
  reset: {
    subject: (name) => `Set a new password for ${name}`,
    text: (name) => `Open this link to set a new password for the workspace ${name}:`,
    button: 'Set a new password',
    end: `The link works once, within 15 minutes. ${ignore}`,
  },
};

/** Sends links to members. */
export interface SignInMails {
  /**
   * The address of the server in links. It comes from the settings, because anybody can set the `Host` of a request.
   */
  address: string;
  send(purpose: MailedPurpose, content: MailContent): void;
  /** Notifies the earlier address of a member that another one has replaced it. The mail does not contain the new one. */
  notifyChange(content: Omit<MailContent, 'url'>): void;
  /** Sends a mail that only shows that mails arrive. Resolves with one or two sentences if the mail server does not accept it. */
  sendTest(content: Omit<MailContent, 'url'>): Promise<string | undefined>;
}

export const createSignInMails = (mailer: Mailer, address: string): SignInMails => ({
  address,
  send: (purpose, content) => mailer.send(signInMail(purpose, content)),
  notifyChange: (content) => mailer.send(changeMail(content, address)),
  sendTest: (content) => mailer.test(testMail(content, address)),
});

function testMail({ to, workspaceName, id }: Omit<MailContent, 'url'>, address: string): Mail {
  const text = `Mails of ${inOneLine(workspaceName)} arrive. You asked for this mail in the settings of ${address}.`;
  return {
    to,
    subject: `Test mail of ${inOneLine(workspaceName)}`,
    text: `${text}\n`,
    html: memberMailHtml({
      from: inOneLine(workspaceName),
      title: `Test mail of ${inOneLine(workspaceName)}`,
      content: [mailParagraph(text)],
      footer: '',
    }),
    messageId: `<${id}@${new URL(address).hostname}>`,
  };
}

/** The mail about another address. */
function changeMail({ to, workspaceName, id }: Omit<MailContent, 'url'>, address: string): Mail {
  const name = inOneLine(workspaceName);
  const text = `Your e-mail address in the workspace ${name} was changed to another one. Your sessions there have ended, and your password is not valid any more.`;
  const end = 'If you do not expect this, ask an administrator of the workspace.';
  return {
    to,
    subject: `Your e-mail address in ${name} was changed`,
    text: `${text}\n\n${end}\n`,
    html: memberMailHtml({
      from: name,
      title: `Your e-mail address in ${name} was changed`,
      content: [mailParagraph(text)],
      footer: end,
    }),
    messageId: `<${id}@${new URL(address).hostname}>`,
  };
}

/** The mail with a link for this purpose. */
function signInMail(purpose: MailedPurpose, { to, url, workspaceName, id }: MailContent): Mail {
  const { subject, text, lead, button, end } = texts[purpose];
  const name = inOneLine(workspaceName);
  return {
    to,
    subject: subject(name),
    text: `${text(name)}\n\n${url}\n\n${end}\n`,
    html: memberMailHtml({
      from: name,
      title: subject(name),
      content: [...(lead ? [mailParagraph(lead)] : []), mailButton(url, button)],
      footer: end,
    }),
    messageId: `<${id}@${new URL(url).hostname}>`,
  };
}
