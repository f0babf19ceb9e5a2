// The services that the handlers of the Chat API use in addition to the request. composition/server.ts provides them.
import type { VisitorLocale } from '../../../protocol/headers.ts';
import type { Asset } from '../../api/asset.ts';
import { createHandle } from '../../api/handler.ts';
import type { ProofOfWork } from '../../auth/proof-of-work.ts';
import type { UserKeySettings } from '../../auth/settings.ts';
import type { BotFileLimits, FileService } from '../../files/index.ts';
import type { PushService } from '../../notifications/push-sender.ts';
import type { TranscriptMails } from '../../notifications/transcript-mails.ts';
import type { Presence } from '../../realtime/presence.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { ChatSettings } from '../settings.ts';
import type { Transcript } from '../transcript-interface.ts';

export interface ChatServices {
  settings: ChatSettings & UserKeySettings;
  transcript: Transcript;
  presence: Presence;
  files: FileService;
  proofOfWork: ProofOfWork;
  /** True when the server sends mails about answers of people to visitors who have gone. */
  mailsAnswers: boolean;
  /** Sends transcripts, if the server sends mails. */
  transcriptMails: TranscriptMails | undefined;
  /** The key that clients need for Web Push, if the server sends pushes about these answers. */
  pushService: PushService | undefined;
  /** Returns the server configuration for the widget of a bot. */
  configurations: { webchat(bot: BotRow): Promise<Asset & { fileLimits: BotFileLimits }> };
  /** Must be called after the commit that revokes keys of a user: closes the user's streams. */
  onKeysRevoked(userId: string): void;
  /** Must be called after the commit that deletes a user: closes their streams, cancels bot code, wakes the cleanup job. */
  onUserRemoved(userId: string): void;
  /** Must be called after the commit that merges a user into another: closes the streams of the first. */
  onUserMerged(userId: string, intoUserId: string): void;
  /** Returns the languages and the time zone that a request has for the bot. */
  localeOf(headers: Headers): VisitorLocale | undefined;
  now(): number;
}

/** Functions that join an operation of the Chat API with its handler. */
export const { handle, handleDecorated } = createHandle<ChatServices>();
