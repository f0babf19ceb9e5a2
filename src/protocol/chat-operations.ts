// Every operation of the Chat API with its method and path. Apart, because the widget carries its operations by chunk.
import { type ChatOperation, firstOperations, type Route } from './operations.ts';
import { toolOperations } from './tool-operations.ts';
import { visitOperations } from './visit-operations.ts';

/** Method and path of every operation but `listenConversation`, whose answer is a stream. */
export const chatOperations: Record<ChatOperation, Route> = {
  ...firstOperations,
  ...visitOperations,
  ...toolOperations,
  deleteUser: 'DELETE /users/me',
  revokeKey: 'DELETE /users/me/key',
  revokeKeys: 'DELETE /users/me/keys',
  getConversation: 'GET /conversations/{id}',
  deleteConversation: 'DELETE /conversations/{id}',
  getOrCreateConversation: 'POST /conversations/get-or-create',
  addParticipant: 'POST /conversations/{conversationId}/participants',
  listParticipants: 'GET /conversations/{conversationId}/participants',
  getParticipant: 'GET /conversations/{conversationId}/participants/{userId}',
  removeParticipant: 'DELETE /conversations/{conversationId}/participants/{userId}',
  listInvitations: 'GET /invitations',
  acceptInvitation: 'POST /invitations/{conversationId}',
  declineInvitation: 'DELETE /invitations/{conversationId}',
  getMessage: 'GET /messages/{id}',
  deleteMessage: 'DELETE /messages/{id}',
  getEvent: 'GET /events/{id}',
};
