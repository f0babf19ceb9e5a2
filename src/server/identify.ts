// Who calls: the headers of a request to a caller. One refusal for a missing, a wrong and an orphaned credential, which
// does not tell which.
import { opens } from './admin-token.ts';
import type { Tx } from './db/database.ts';
import { findUser } from './db/users.ts';
import { ApiError } from './errors.ts';
import type { Administrator, Caller, Operation } from './operation.ts';
import type { UserKeys } from './user-keys.ts';

/** A caller as the database knows them now. */
export type Identify = (tx: Tx) => Promise<Caller | { id: string } | Administrator | undefined>;

/** Reads what identifies the caller of an operation. Throws Unauthorized, at once or when the database is asked. */
export function readCaller(auth: Operation['auth'], headers: Headers, keys: UserKeys): Identify {
  if (auth === 'none') return async () => undefined;
  if (auth === 'admin') return administrator(headers);
  const key = headers.get('x-user-key');
  const id = key === null ? undefined : keys.verify(key);
  if (id === undefined) throw unknownUser();
  if (auth === 'key') return async () => ({ id });
  return async (tx) => {
    const user = await findUser(tx, id);
    if (!user) throw unknownUser();
    return { id, user };
  };
}

function administrator(headers: Headers): Identify {
  // RFC 6750, 2.1; the name of the scheme in any case (RFC 9110, 11.1).
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const workspaceId = headers.get('x-workspace-id');
  if (!token || !workspaceId) throw unknownAdministrator();
  return async (tx) => {
    if (!(await opens(tx, workspaceId, token))) throw unknownAdministrator();
    return { workspaceId };
  };
}

const unknownUser = () => new ApiError('Unauthorized', 'The header x-user-key holds no valid user key.');
const unknownAdministrator = () =>
  new ApiError(
    'Unauthorized',
    'The headers authorization and x-workspace-id hold no valid token for a workspace.',
  );
