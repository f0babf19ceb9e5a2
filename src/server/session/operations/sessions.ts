// Handlers of the Session API: the sessions of the member who has signed in.
import { sessions } from '../../../protocol/operations/session.ts';
import { ApiError } from '../../api/errors.ts';
import { isValidSession } from '../../auth/sessions.ts';
import { deleteSession, sessionsOfMember } from '../../storage/admin/member-sessions.ts';
import { serializeSession, serializeSignedIn } from '../serializers.ts';
import { handle } from './services.ts';

export const sessionsHandlers = [
  handle(sessions.getSession, async ({ tx, caller, services }) => ({
    body: await serializeSignedIn(tx, caller.session, services),
  })),

  handle(sessions.signOut, async ({ tx, caller }) => {
    await deleteSession(tx, caller.memberId, caller.session.id);
    return { body: {}, session: '' };
  }),

  handle(sessions.listSessions, async ({ tx, caller, services }) => {
    const rows = await sessionsOfMember(tx, caller.memberId);
    const valid = rows.filter((row) => isValidSession(row, services.now()));
    return { body: { sessions: valid.map((row) => serializeSession(row, caller.session.id)) } };
  }),

  handle(sessions.endSession, async ({ tx, caller, params: { id } }) => {
    if (!(await deleteSession(tx, caller.memberId, id))) {
      throw new ApiError('ResourceNotFound', 'The session does not exist.');
    }
    return { body: {}, ...(id === caller.session.id ? { session: '' } : {}) };
  }),
];
