// Generated from src/protocol/schemas/chat/webchat.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Configuration } from '../../page-api/config.ts';

export type Feature =
  | 'replay'
  | 'idempotency'
  | 'stream'
  | 'typing'
  | 'files'
  | 'feedback'
  | 'firstConversation'
  | 'renewal'
  | 'supersedes'
  | 'handoff'
  | 'conversations'
  | 'transcriptMail'
  | 'preChatForm'
  | 'locale';

/** The response of `GET {chat}/webchat`; 404 means a plain Chat API server. */
export interface Webchat {
  /** The dashboard configuration of this bot. */
  configuration: Configuration;
  /** The id of the user who is the author of the bot's messages: other authors are participants or people who answer. */
  botUserId?: string;
  features: Feature[];
  limits: {
    messageBytes: number;
    /** Bytes of one file. */
    fileBytes: number;
    /** Media types that may be uploaded, such as `image/*` or `application/pdf`; empty for all. */
    fileTypes: string[];
    /** Files in one message, if the bot limits them. */
    filesPerMessage?: number;
  };
  /** The origin in which apps of the bot run; without it, they are shown as text. */
  sandboxOrigin?: string;
}

/** The form in which a bot's chat is embedded: HTML for pages, or the address of a separate page. */
export type EmbedType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl';
