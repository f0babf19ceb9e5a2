// Operations on the caller's e-mail address, to which answers of people are sent when the visitor has gone, and transcripts when
// the visitor asks for them.
import { contacts } from '../../../protocol/operations/chat/handoffs.ts';
import { ApiError } from '../../api/errors.ts';
import type { Tx } from '../../storage/database.ts';
import { deleteContacts, findContact, setContact } from '../../storage/notifications/contacts.ts';
import { held, owned } from './access.ts';
import { handle } from './services.ts';

export const contactHandlers = [
  handle(contacts.getContact, async ({ tx, caller: { user, key }, services }) => {
    // The holder of such a key may not be the visitor.
    if (key.conversationIds) return { body: { isOffered: false } };
    return { body: { isOffered: services.mailsAnswers, ...(await contactOf(tx, user.id)) } };
  }),

  handle(contacts.setContact, async ({ tx, caller: { user }, quota, input, services }) => {
    const { email, locale = 'en' } = input;
    if (email === null) {
      await services.transcript.handlings.changeVisitor(tx, user.id, () => deleteContacts(tx, [user.id]));
      return { body: { isOffered: services.mailsAnswers } };
    }
    if (!services.mailsAnswers) throw noMails();
    const owner = { userId: user.id, botId: user.botId };
    await services.transcript.handlings.changeVisitor(tx, user.id, () =>
      setContact(tx, { ...owner, email, locale }, services.now()),
    );
    await quota.send(tx, 'profile', owner, Buffer.byteLength(email));
    return { body: { isOffered: true, ...(await contactOf(tx, user.id)) } };
  }),

  handle(contacts.mailTranscript, async ({ tx, caller, params: { id }, quota, services }) => {
    const conversation = await held(tx, () => owned(tx, id, caller));
    if (!services.transcriptMails) throw noMails();
    return { body: await services.transcriptMails.request(tx, conversation, quota) };
  }),
];

const noMails = () =>
  new ApiError('Forbidden', 'This server sends no mails to visitors: it has no SMTP_URL.');

async function contactOf(tx: Tx, userId: string): Promise<{ contact?: { email: string } }> {
  const found = await findContact(tx, userId);
  return found ? { contact: { email: found.email } } : {};
}
