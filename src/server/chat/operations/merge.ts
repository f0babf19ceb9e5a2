// The operation that merges an anonymous user into the caller.
import { users } from '../../../protocol/operations/chat/users.ts';
import { ApiError } from '../../api/errors.ts';
import { isSignedAfter } from '../../auth/revocation.ts';
import { findKeyState } from '../../storage/admin/user-keys.ts';
import { mergeUserNow } from '../user-merge.ts';
import { handle } from './services.ts';
import { isIssued } from './user-keys.ts';

export const mergeHandlers = [
  handle(
    users.mergeUser,
    async ({ tx, chat, caller, headers, input, services }) => {
      // The key of the caller and that of the anonymous user are both proven: neither of them alone moves anything.
      if (caller.user.foreignId === null || isIssued(caller)) {
        throw new ApiError(
          'Forbidden',
          'Only a user whose key an application has signed can take over another user.',
        );
      }
      const key = chat.keys.inspect(input.userKey);
      if (!key?.isCurrent) {
        const reason = chat.keys.explain(input.userKey);
        throw new ApiError('Forbidden', `\`userKey\` is not a valid user key.${reason ? ` ${reason}` : ''}`);
      }
      const { user: anonymous, isRevoked, validAfter } = await findKeyState(tx, chat.bot.id, key);
      if (isRevoked || !isSignedAfter(key, validAfter, services.now())) {
        throw new ApiError('Forbidden', '`userKey` was revoked.');
      }
      if (!anonymous) return { body: { merged: false } };
      if (anonymous.foreignId !== null) {
        throw new ApiError('Forbidden', '`userKey` is the key of a user with an id of an application.');
      }
      await mergeUserNow(tx, anonymous, key, caller.user, services, services.localeOf(headers));
      return { body: { merged: true } };
    },
    {
      // Of the anonymous user, whose keys have the server id.
      locks({ chat, input }) {
        const key = chat.keys.inspect(input.userKey);
        return key ? [`owner:${key.id}`] : [];
      },
    },
  ),
];
