// Operations of the Chat API: webchat.
import { schemas } from '../../schemas/chat.ts';
import { operations, query } from '../operation.ts';

export const webchat = operations({
  getWebchat: query({
    route: 'GET /webchat',
    summary: 'Returns what this server can do beyond the plain Chat API, and the dashboard configuration.',
    auth: 'none',
    output: schemas.webchat,
  }),
});
