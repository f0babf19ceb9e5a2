// Ends or changes streams at every process. A message to another process can be lost; the checks of access
// (access-checks.ts) end the streams there later.
import type { Broadcasts } from '../../jobs/processes.ts';
import type { PubSub, StreamControl } from '../../realtime/pub-sub.ts';

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
