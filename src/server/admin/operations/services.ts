// What the handlers of the Admin API need beside the request. compose.ts provides it.
import type { WorkspaceCreators } from '../../../protocol/permissions.ts';
import type { KeyRing } from '../../auth/user-keys.ts';
import type { BotCode } from '../../bots/index.ts';
import type { FileService } from '../../files/index.ts';
import { createHandle } from '../../operations/handler.ts';
import type { ConfigurationStore } from '../../webchat/index.ts';

export interface AdminServices {
  files: FileService;
  keys: KeyRing;
  configurations: ConfigurationStore;
  botCode: BotCode;
  /** Who may create workspaces beside the operator. */
  workspaceCreators: WorkspaceCreators;
  /** To be called after the commit that deletes a bot: closes its streams, wakes the cleanup job. */
  onBotRemoved(botId: string): void;
  /** To be called after the commit that ends the user keys of a bot: closes its streams. */
  onKeysEnded(botId: string): void;
  /** To be called after the commit that revokes keys of a user: closes the user's streams. */
  onKeysRevoked(userId: string): void;
  /** To be called after the commit that queues an event for the bot of a conversation. */
  onDelivery(conversationId: string): void;
  /** To be called after the commit that deletes a user: ends streams and bot code of theirs, wakes the cleanup job. */
  onUserRemoved(userId: string): void;
  now(): number;
}

/** Joins an operation of the Admin API with its handler. */
export const { handle } = createHandle<AdminServices>();
