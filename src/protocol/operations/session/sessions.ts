// Operations of the Session API: the sessions of the member who has signed in.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { sessions as session } from '../../schemas/session.ts';
import { mutation, operations, query } from '../operation.ts';

export const sessions = operations({
  getSession: query({
    route: 'GET /',
    summary: 'Returns the member who has signed in, with their permissions.',
    auth: 'session',
    output: session.signedIn,
  }),

  signOut: mutation({
    route: 'DELETE /',
    summary: 'Ends the session of the request.',
    auth: 'session',
    output: schemas.nothing,
  }),

  listSessions: query({
    route: 'GET /all',
    summary: 'Lists the sessions of the member who has signed in, newest first.',
    auth: 'session',
    output: v.object({ sessions: v.array(session.session) }),
  }),

  endSession: mutation({
    route: 'DELETE /{id}',
    summary: 'Ends a session of the member who has signed in, in any browser.',
    auth: 'session',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: 'session_none' }],
  }),
});
