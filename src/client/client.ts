// The typed clients of the platform's APIs: one for each family, and one with all of them. What they have in common is
// family.ts; the Chat API of visitors is chat.ts.
import type { AdminOperations } from '../protocol/admin-operations.ts';
import type { ClientOptions } from './client-options.ts';
import { adminFamily } from './families.ts';
import { FamilyBase } from './family.ts';

/**
 * A client of the Admin API alone. Needs `token` and `workspaceId`.
 * Every method rejects with ApiError (of the class of its type), NetworkError, or TypeError for what cannot be sent.
 */
export class AdminClient extends FamilyBase<AdminOperations> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [adminFamily]);
  }
}

/**
 * A client of all APIs of the platform, every operation a method: `listBots`, `getBot`, … Operations of the Admin API
 * need `workspaceId`, all others `botId`. Runs in Node 20 and in browsers.
 * Every method rejects with ApiError (of the class of its type), NetworkError, or TypeError for what cannot be sent.
 */
export class Client extends FamilyBase<AdminOperations> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [adminFamily]);
  }
}
