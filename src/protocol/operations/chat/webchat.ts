// Operations of the Chat API: webchat.
import { schemas } from '../../schemas/chat.ts';
import { operations, query } from '../operation.ts';

export const webchat = operations({
  getWebchat: query({
    route: 'GET /webchat',
    summary:
      'Returns the features of this server that the plain Chat API does not have, and the dashboard ' +
      'configuration.',
    auth: 'none',
    output: schemas.webchat,
  }),
});
