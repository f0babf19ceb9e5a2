// Conversations that people handle, for the examples of the Inbox API and of ratings.
import type { ChatClient, Client } from '../../../src/client/index.ts';
import { orRefused, putBytes } from './requests.ts';

interface Parties {
  visitor: ChatClient;
  /** As the bot of the conversations. */
  bot: Client;
  manager: Client;
  botId: string;
  /** A member, who takes the conversations. */
  member: Client;
  chatUrl: string;
  mark: (text: string) => string;
}

/**
 * A conversation that waits for a person, with two notes of the member, and two that this member has closed, whose visitor is
 * asked for a rating. All visitors may ask for a person.
 */
export async function createHandledConversations(parties: Parties) {
  const { visitor, bot, manager, botId, member, chatUrl, mark } = parties;
  const handled = (await visitor.createConversation({})).conversation.id;
  await orRefused(manager.setBotDeployment({ id: botId, visitorHandoff: true }));
  await orRefused(bot.requestHandoff({ id: handled, reason: mark('refund'), note: mark('A-1') }));
  const addNote = async (body: string) =>
    (await orRefused(member.createNote({ id: handled, body: mark(body) })))?.note.id ?? 'note_none';
  const addNoteFile = async () => {
    const made = await orRefused(member.createNoteFile({ id: handled, key: mark('a.txt'), size: 1 }));
    if (!made) return 'file_none';
    await putBytes(chatUrl, made.file.uploadUrl, 'a');
    return made.file.id;
  };
  const addAnswer = async (name: string) => {
    const made = await orRefused(
      member.createCannedAnswer({ scope: 'own', name: mark(name), text: mark(name) }),
    );
    return made?.cannedAnswer.id ?? 'answer_none';
  };
  const addTeam = async (name: string) => {
    const made = await orRefused(
      member.createTeam({ name: mark(`${name} ${handled}`), mode: 'round_robin' }),
    );
    return made?.team.id ?? 'team_none';
  };
  const closeOne = async () => {
    const { id } = (await visitor.createConversation({})).conversation;
    await orRefused(bot.requestHandoff({ id }));
    await orRefused(member.takeConversation({ id }));
    const payload = { type: 'text', text: mark('It is on its way.') } as const;
    await orRefused(member.createReply({ id, payload, seenSeq: 1_000 }));
    await orRefused(member.closeInboxConversation({ id }));
    const { rating } = await visitor.listActivities({ id });
    return { id, handoff: rating?.handoffId ?? 'handoff_none' };
  };
  const [rated, other] = [await closeOne(), await closeOne()];
  return {
    handled,
    rated: rated.id,
    handoff: rated.handoff,
    otherRated: other.id,
    otherHandoff: other.handoff,
    note: await addNote('One'),
    otherNote: await addNote('Two'),
    noteFile: await addNoteFile(),
    cannedAnswer: await addAnswer('One'),
    otherCannedAnswer: await addAnswer('Two'),
    team: await addTeam('One'),
    otherTeam: await addTeam('Two'),
  };
}
