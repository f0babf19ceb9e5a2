// The mails of the server, as a mail program shows their HTML: drawn from the real templates.
import { alertMail } from '../../src/server/inbox/alerts/alert-texts.ts';
import { answerMail } from '../../src/server/notifications/answer-mail-text.ts';
import type { Mail, Mailer } from '../../src/server/notifications/mailer.ts';
import { createSignInMails } from '../../src/server/notifications/sign-in-mails.ts';
import { linkMail, transcriptMail } from '../../src/server/notifications/transcript-mails.ts';
import type { MessageRow } from '../../src/server/storage/chat/messages.ts';
import type { Scene, ShopStage, State } from './state.ts';

const address = 'https://chat.example.com';
const to = 'ann@example.com';
const at = Date.UTC(2026, 2, 10, 9, 41);

/** The mail that is given to the mailer. */
function sent(send: (mails: ReturnType<typeof createSignInMails>) => unknown): Mail {
  const found: Mail[] = [];
  const keep = (mail: Mail) => void found.push(mail);
  const mailer = { send: keep, test: async (mail: Mail) => keep(mail) } as unknown as Mailer;
  send(createSignInMails(mailer, address));
  const [mail] = found;
  if (!mail) throw new Error('No mail was sent.');
  return mail;
}

const member = { to, workspaceName: 'Bicycles of Winter', id: 'id' };
const link = (purpose: string) => ({ ...member, url: `${address}/console/#${purpose}=token` });
const visitor = {
  to,
  site: 'chat.example.com',
  notification: { conversationId: 'conv', target: 'user', fromSeq: 1 },
  returnUrl: `${address}/c/#token`,
  unsubscribeUrl: `${address}/c/unsubscribe#token`,
};
const answer = (text: string) =>
  ({
    author: JSON.stringify({ kind: 'person', name: 'Ada Winter' }),
    payload: JSON.stringify({ type: 'text', text }),
  }) as unknown as MessageRow;
const answers = [
  answer('Hello Ann, your new frame is on its way.\nIt arrives on Thursday.'),
  answer('You can keep the old one. If anything else is scratched, please send us a picture of it.'),
];
const waiting = ['Grace Okafor', 'Omar Haddad', null].map((name, index) => ({
  conversationId: `conv_${index}`,
  name,
  waitingSince: at,
}));
const alert = { to, memberId: 'member', workspaceName: member.workspaceName, address };

const mails: Record<string, () => Mail> = {
  invitation: () => sent((all) => all.send('invitation', link('invitation'))),
  'link to sign in': () => sent((all) => all.send('sign-in', link('sign-in'))),
  'link for a new password': () => sent((all) => all.send('reset', link('reset'))),
  'another address': () => sent((all) => all.notifyChange(member)),
  test: () => sent((all) => all.sendTest(member)),
  'a visitor waits': () => alertMail({ ...alert, waiting: waiting.slice(0, 1) }),
  'visitors wait': () => alertMail({ ...alert, waiting }),
  'an answer': () => answerMail({ ...visitor, locale: 'en', answers }),
  'an answer, in German': () => answerMail({ ...visitor, locale: 'de', answers }),
  'an answer, right to left': () => answerMail({ ...visitor, locale: 'ar', answers }),
  transcript: () =>
    transcriptMail({
      ...visitor,
      locale: 'en',
      isCut: true,
      messages: [
        { text: 'The frame of my bicycle is scratched.', at, isOwn: true, name: 'Ann' },
        { text: 'I am sorry to hear that. I ask somebody of our team.', at, isOwn: false, name: 'Shop help' },
        { text: 'We send you a new frame.', at: at + 180_000, isOwn: false, name: 'Ada Winter' },
      ],
    }),
  'link to the conversation': () => linkMail({ ...visitor, locale: 'en' }),
};

const states = Object.entries(mails).map(
  ([name, mail]): State<ShopStage> => ({
    name,
    async enter({ page }) {
      await page.goto('about:blank');
      await page.setContent(mail().html);
    },
  }),
);

export const mailScenes: Scene<ShopStage>[] = [
  { surface: 'Mails', begin: async () => {}, isSeparate: true, states },
];
