// The methods of ChatClient, generated from src/protocol/operations/chat by chat-operations.test.ts. Do not edit.
import type { ChatMethods } from '../operations/chat.ts';
import * as routes from '../operations/chat.ts';
import { ChatClientCore, callRoute } from './caller.ts';

type In<Name extends keyof ChatMethods> = Parameters<ChatMethods[Name]>;
type Out<Name extends keyof ChatMethods> = ReturnType<ChatMethods[Name]>;

/** Every operation as a method. Their documentation is that of ChatMethods. */
export class ChatOperations extends ChatClientCore implements ChatMethods {
  createUser(...request: In<'createUser'>): Out<'createUser'> {
    return callRoute(this, routes.createUser, request);
  }
  getOrCreateUser(...request: In<'getOrCreateUser'>): Out<'getOrCreateUser'> {
    return callRoute(this, routes.getOrCreateUser, request);
  }
  getUser(...request: In<'getUser'>): Out<'getUser'> {
    return callRoute(this, routes.getUser, request);
  }
  updateUser(...request: In<'updateUser'>): Out<'updateUser'> {
    return callRoute(this, routes.updateUser, request);
  }
  mergeUser(...request: In<'mergeUser'>): Out<'mergeUser'> {
    return callRoute(this, routes.mergeUser, request);
  }
  deleteUser(...request: In<'deleteUser'>): Out<'deleteUser'> {
    return callRoute(this, routes.deleteUser, request);
  }
  renewKey(...request: In<'renewKey'>): Out<'renewKey'> {
    return callRoute(this, routes.renewKey, request);
  }
  revokeKey(...request: In<'revokeKey'>): Out<'revokeKey'> {
    return callRoute(this, routes.revokeKey, request);
  }
  revokeKeys(...request: In<'revokeKeys'>): Out<'revokeKeys'> {
    return callRoute(this, routes.revokeKeys, request);
  }
  getContact(...request: In<'getContact'>): Out<'getContact'> {
    return callRoute(this, routes.getContact, request);
  }
  setContact(...request: In<'setContact'>): Out<'setContact'> {
    return callRoute(this, routes.setContact, request);
  }
  mailTranscript(...request: In<'mailTranscript'>): Out<'mailTranscript'> {
    return callRoute(this, routes.mailTranscript, request);
  }
  getPush(...request: In<'getPush'>): Out<'getPush'> {
    return callRoute(this, routes.getPush, request);
  }
  setPush(...request: In<'setPush'>): Out<'setPush'> {
    return callRoute(this, routes.setPush, request);
  }
  useReturnLink(...request: In<'useReturnLink'>): Out<'useReturnLink'> {
    return callRoute(this, routes.useReturnLink, request);
  }
  createConversation(...request: In<'createConversation'>): Out<'createConversation'> {
    return callRoute(this, routes.createConversation, request);
  }
  listConversations(...request: In<'listConversations'>): Out<'listConversations'> {
    return callRoute(this, routes.listConversations, request);
  }
  getOrCreateConversation(...request: In<'getOrCreateConversation'>): Out<'getOrCreateConversation'> {
    return callRoute(this, routes.getOrCreateConversation, request);
  }
  getConversation(...request: In<'getConversation'>): Out<'getConversation'> {
    return callRoute(this, routes.getConversation, request);
  }
  setRead(...request: In<'setRead'>): Out<'setRead'> {
    return callRoute(this, routes.setRead, request);
  }
  deleteConversation(...request: In<'deleteConversation'>): Out<'deleteConversation'> {
    return callRoute(this, routes.deleteConversation, request);
  }
  addParticipant(...request: In<'addParticipant'>): Out<'addParticipant'> {
    return callRoute(this, routes.addParticipant, request);
  }
  listParticipants(...request: In<'listParticipants'>): Out<'listParticipants'> {
    return callRoute(this, routes.listParticipants, request);
  }
  getParticipant(...request: In<'getParticipant'>): Out<'getParticipant'> {
    return callRoute(this, routes.getParticipant, request);
  }
  removeParticipant(...request: In<'removeParticipant'>): Out<'removeParticipant'> {
    return callRoute(this, routes.removeParticipant, request);
  }
  listInvitations(...request: In<'listInvitations'>): Out<'listInvitations'> {
    return callRoute(this, routes.listInvitations, request);
  }
  acceptInvitation(...request: In<'acceptInvitation'>): Out<'acceptInvitation'> {
    return callRoute(this, routes.acceptInvitation, request);
  }
  declineInvitation(...request: In<'declineInvitation'>): Out<'declineInvitation'> {
    return callRoute(this, routes.declineInvitation, request);
  }
  createMessage(...request: In<'createMessage'>): Out<'createMessage'> {
    return callRoute(this, routes.createMessage, request);
  }
  listMessages(...request: In<'listMessages'>): Out<'listMessages'> {
    return callRoute(this, routes.listMessages, request);
  }
  searchMessages(...request: In<'searchMessages'>): Out<'searchMessages'> {
    return callRoute(this, routes.searchMessages, request);
  }
  getMessage(...request: In<'getMessage'>): Out<'getMessage'> {
    return callRoute(this, routes.getMessage, request);
  }
  deleteMessage(...request: In<'deleteMessage'>): Out<'deleteMessage'> {
    return callRoute(this, routes.deleteMessage, request);
  }
  setFeedback(...request: In<'setFeedback'>): Out<'setFeedback'> {
    return callRoute(this, routes.setFeedback, request);
  }
  deleteFeedback(...request: In<'deleteFeedback'>): Out<'deleteFeedback'> {
    return callRoute(this, routes.deleteFeedback, request);
  }
  claimInterrupt(...request: In<'claimInterrupt'>): Out<'claimInterrupt'> {
    return callRoute(this, routes.claimInterrupt, request);
  }
  respondToInterrupt(...request: In<'respondToInterrupt'>): Out<'respondToInterrupt'> {
    return callRoute(this, routes.respondToInterrupt, request);
  }
  requestHandoff(...request: In<'requestHandoff'>): Out<'requestHandoff'> {
    return callRoute(this, routes.requestHandoff, request);
  }
  cancelHandoff(...request: In<'cancelHandoff'>): Out<'cancelHandoff'> {
    return callRoute(this, routes.cancelHandoff, request);
  }
  closeConversation(...request: In<'closeConversation'>): Out<'closeConversation'> {
    return callRoute(this, routes.closeConversation, request);
  }
  rateConversation(...request: In<'rateConversation'>): Out<'rateConversation'> {
    return callRoute(this, routes.rateConversation, request);
  }
  listActivities(...request: In<'listActivities'>): Out<'listActivities'> {
    return callRoute(this, routes.listActivities, request);
  }
  createEvent(...request: In<'createEvent'>): Out<'createEvent'> {
    return callRoute(this, routes.createEvent, request);
  }
  getEvent(...request: In<'getEvent'>): Out<'getEvent'> {
    return callRoute(this, routes.getEvent, request);
  }
  setTyping(...request: In<'setTyping'>): Out<'setTyping'> {
    return callRoute(this, routes.setTyping, request);
  }
  setPage(...request: In<'setPage'>): Out<'setPage'> {
    return callRoute(this, routes.setPage, request);
  }
  stopStream(...request: In<'stopStream'>): Out<'stopStream'> {
    return callRoute(this, routes.stopStream, request);
  }
  createFile(...request: In<'createFile'>): Out<'createFile'> {
    return callRoute(this, routes.createFile, request);
  }
}
