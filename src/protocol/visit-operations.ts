// The operations of the Chat API that a visit needs beyond the first message. Apart, because a chunk carries them.
import type { Routes } from './operations.ts';

export const visitOperations = {
  getUser: 'GET /users/me',
  updateUser: 'PUT /users/me',
  renewKey: 'POST /users/me/key',
  getOrCreateUser: 'POST /users/get-or-create',
  listConversations: 'GET /conversations',
  createEvent: 'POST /events',
  setTyping: 'POST /conversations/{id}/typing',
  stopStream: 'POST /conversations/{id}/stop',
} as const satisfies Routes;
