// Ends or changes streams at every process. An order can be lost on its way to another process; the checks of access
// (access-checks.ts) end the streams there later.
import type { Broadcasts } from '../cluster/broadcasts.ts';
import type { PubSub } from './pub-sub.ts';

export type StreamControl = Pick<
  PubSub,
  | 'closeUser'
  | 'moveUser'
  | 'closeParticipant'
  | 'closeConversation'
  | 'closeUserAndOwnedConversations'
  | 'closeBot'
>;

export function createStreamControl(pubSub: PubSub, { everywhere }: Broadcasts): StreamControl {
  return {
    closeUser: everywhere('closeUser', pubSub.closeUser),
    moveUser: everywhere('moveUser', pubSub.moveUser),
    closeParticipant: everywhere('closeParticipant', pubSub.closeParticipant),
    closeConversation: everywhere('closeConversation', pubSub.closeConversation),
    closeUserAndOwnedConversations: everywhere(
      'closeUserAndOwnedConversations',
      pubSub.closeUserAndOwnedConversations,
    ),
    closeBot: everywhere('closeBot', pubSub.closeBot),
  };
}
