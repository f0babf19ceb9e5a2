// The services that the handlers of the Admin API use in addition to the request. composition/server.ts provides them.
import type { RetentionDays } from '../../../protocol/types/visitors.ts';
import { createHandle } from '../../api/handler.ts';
import type { MemberSettings } from '../../auth/settings.ts';
import type { KeyRing } from '../../auth/user-keys.ts';
import type { AgentTests, BotCode } from '../../bots/index.ts';
import type { Archives, Transcript } from '../../chat/index.ts';
import type { FileService } from '../../files/index.ts';
import type { quotaSettings } from '../../limits/settings.ts';
import type { MailSettings } from '../../notifications/settings.ts';
import type { SignInMails } from '../../notifications/sign-in-mails.ts';
import type { SettingsOf } from '../../startup/setting.ts';
import type { Database } from '../../storage/database.ts';
import type { BotOrigins, ConfigurationStore } from '../../webchat/index.ts';

/** The settings that describe the server to its operator. */
type ServerSettings = SettingsOf<typeof quotaSettings> &
  MailSettings & { DATA_DIR: string; S3_URL?: string | undefined };

export interface AdminServices {
  /** The database, for what is added to a response after the transaction. */
  db: Database;
  transcript: Transcript;
  files: FileService;
  archives: Archives;
  keys: KeyRing;
  configurations: ConfigurationStore;
  botCode: BotCode;
  agentTests: AgentTests;
  botOrigins: BotOrigins;
  settings: MemberSettings & ServerSettings;
  /** How long the data of bots is kept that have no periods of their own. */
  retentionDefaults: RetentionDays;
  /** Must be called after the commit that deletes a bot: closes its streams and wakes the cleanup job. */
  onBotRemoved(botId: string): void;
  /** Must be called after the commit that revokes all user keys of a bot: closes its streams. */
  onKeysEnded(botId: string): void;
  /** Must be called after the commit that revokes keys of a user: closes the user's streams. */
  onKeysRevoked(userId: string): void;
  /** Must be called after the commit that queues an event for the bot of a conversation. */
  onDelivery(conversationId: string): void;
  /** Must be called after the commit that deletes a user: closes their streams, cancels bot code, wakes the cleanup job. */
  onUserRemoved(userId: string): void;
  /** Sends links to members; undefined without SMTP_URL. */
  mails: SignInMails | undefined;
  now(): number;
}

/** Joins an operation of the Admin API with its handler. */
export const { handle, handleDecorated } = createHandle<AdminServices>();
