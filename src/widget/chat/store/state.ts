// The fields of the store and their types.
import type { Handling } from '../../../protocol/handling.ts';
import type { Payload } from '../../../protocol/message.ts';
import type { ResolvedConfiguration } from '../../../protocol/page-api/config.ts';
import type { File as StoredFile } from '../../../protocol/types/chat.ts';
import type { Rating } from '../../../protocol/types/handling.ts';
import type { Webchat } from '../../../protocol/webchat.ts';
import type { Row } from './rows.ts';

/** A file that the visitor has chosen and that is not part of a message yet. */
export interface Attachment {
  key: string;
  name: string;
  content: Blob;
  status: 'uploading' | 'uploaded' | 'failed';
  /** Bytes that the server has received. */
  sent: number;
  /** The reason for its failure, in the present language. */
  problem?: () => string;
  /** Whether a retry can succeed. */
  canRetry?: boolean;
  /** The uploaded file on the server. */
  file?: StoredFile;
  /** For a file that is a message of its own: sends it as soon as it is uploaded. */
  send?: (payload: Payload) => void;
}

/** A participant of the conversation other than the visitor and the bot. */
export interface Participant {
  name: string;
  pictureUrl: string | undefined;
}

/** `busy`: the server asks to wait. `interrupted`: it was online, and did not recover at once. `refused`: permanently. */
export type ConnectionStatus = 'connecting' | 'unreachable' | 'busy' | 'online' | 'interrupted' | 'refused';

/** A request for a person that was refused outside of the opening hours: what the visitor wants, and the button. */
export interface RefusedRequest {
  reason?: string | undefined;
  messageId?: string | undefined;
}

/** The answerer, whether the visitor may ask for a person at any time, and whether they are asked how helpful one was. */
export interface ShownHandling extends Handling {
  canRequest?: boolean;
  /** In this tab, since nothing else has changed: the visitor can leave a message. */
  refused?: RefusedRequest;
  rating?: Rating;
}

/** Whether the server has older messages. */
export type HistoryStatus = 'unknown' | 'more' | 'loading' | 'complete';

/**
 * The view of the window: the home screen if the site has one, the conversation, or above it the question before a restart, the
 * list of conversations, the question before the visitor's data is deleted, or the address for a mail of the conversation.
 */
export type View = 'home' | '' | 'restart' | 'list' | 'delete' | 'mail';

/** Each field is a signal behind a getter. */
export interface State {
  readonly configuration: ResolvedConfiguration;
  readonly isOpen: boolean;
  /** The current rows. A streamed delta replaces this array: components that render many rows read `outline`. */
  readonly rows: readonly Row[];
  /** The rows after the last change other than streamed text: the text of a stream may be outdated. */
  readonly outline: readonly Row[];
  readonly connection: ConnectionStatus;
  readonly isOffline: boolean;
  readonly history: HistoryStatus;
  /** The id of the user who types: the bot, a person or another participant. */
  readonly typing: string | undefined;
  /** The visitor's last conversation was replaced by a new one. */
  readonly isRenewed: boolean;
  readonly view: View;
  /** Features of the server; undefined for a plain Chat API server. */
  readonly webchat: Webchat | undefined;
  readonly attachments: readonly Attachment[];
  /** Incremented with each visitor: the draft of one visitor is not for the next. */
  readonly visitor: number;
  /** The other people in the conversation, by user id. */
  readonly participants: ReadonlyMap<string, Participant>;
  /** The handling of the conversation; undefined until it is known, and with a plain server. */
  readonly handling: ShownHandling | undefined;
  /** The newest row of the bot that arrived live: it is announced to screen readers. */
  readonly announced: Row | undefined;
}
