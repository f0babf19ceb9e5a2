// What an operation of an API is: one row from which its route, checks and documentation are derived.
import type * as v from 'valibot';
import type { ErrorType } from '../../protocol/error.ts';
import type { Permission, WorkspaceCreators } from '../../protocol/permissions.ts';
import type { Asset } from '../api/asset.ts';
import type { Auth, Caller, CallerBy } from '../auth/caller.ts';
import type { ChatEndpoint } from '../auth/chat-endpoint.ts';
import type { Principal } from '../auth/principal.ts';
import type { ProofOfWork } from '../auth/proof-of-work.ts';
import type { KeyRing } from '../auth/user-keys.ts';
import type { BotCode, BotStreams } from '../bots/index.ts';
import type { Transcript } from '../chat/index.ts';
import type { FileService, PlatformFiles } from '../files/index.ts';
import type { RequestQuota } from '../limits/quotas.ts';
import type { Presence } from '../realtime/presence.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import type { TableService } from '../tables/index.ts';
import type { ConfigurationStore } from '../webchat/index.ts';

/** What operations may use beside the database. */
export interface Services {
  transcript: Transcript;
  presence: Presence;
  files: FileService;
  platformFiles: PlatformFiles;
  tables: TableService;
  keys: KeyRing;
  /** True when apps sign user keys themselves, so that `POST /users` is refused. */
  personalKeys: boolean;
  /** Who may create workspaces beside the operator. */
  workspaceCreators: WorkspaceCreators;
  /** Whether an owner invites users to a conversation, or adds them at once. */
  participants: 'invited' | 'direct';
  /** True when callers of `POST /users` may choose an id. */
  anonymousUserIds: boolean;
  /** Seconds until an issued user key expires; 0: never. */
  keyLifetime: number;
  proofOfWork: ProofOfWork;
  configurations: ConfigurationStore;
  botCode: BotCode;
  /** To be called after the commit that deletes a bot: its streams are to end, what it leaves is to be swept. */
  onBotRemoved(botId: string): void;
  /** To be called after the commit that ends the user keys of a bot: so are its streams to. */
  onKeysEnded(botId: string): void;
  /** To be called after the commit that revokes keys of a user: the user's streams are to end. */
  onKeysRevoked(userId: string): void;
  /** Answers that bots write from elsewhere. */
  streams: BotStreams;
  /** To be called after the commit that gives a conversation an event for its bot. */
  onDelivery(conversationId: string): void;
  /** To be called after the commit that deletes a user: ends streams and bot code of theirs, wakes the sweeper. */
  onUserRemoved(userId: string): void;
  /** A keyed hash of the network of a request, for what is stored: no addresses of visitors are. */
  networkDigest(network: string): string;
  now(): number;
}

/** A checked request, as an operation sees it. */
export interface Call<Query = unknown, Body = unknown, Who = Caller, T = WriteTx> {
  tx: T;
  caller: Who;
  /** The chat that was asked; of the Chat API only. */
  chat: ChatEndpoint;
  params: Record<string, string>;
  headers: Headers;
  query: Query;
  body: Body;
  services: Services;
  /** The network that the request comes from, as `client-address.ts` names it; '' where that cannot be told. */
  network: string;
  /** Counts what a visitor sends or creates; of the Chat API only. */
  quota: RequestQuota;
  /**
   * Where the API is, as the caller reaches it, without a slash at the end: the address of the chat, or of the server
   * for all other families.
   */
  address(): string;
}

/** The result of an operation; `resource` is the id of what it made, for Idempotency-Key. */
export interface Outcome {
  body: Record<string, unknown>;
  resource?: string;
  /** What this answer has beside and no later one: it is kept nowhere. A repeated request is refused (409). */
  shownOnce?: Record<string, unknown>;
  /** Its body tells of as many things as were sent: a large one is not kept, and a repeated request is refused (409). */
  isBulky?: boolean;
}

/** The result of an operation that only reads; `asset`: bytes that are there already, asked for after the transaction. */
export type Found = Outcome | { asset(): Promise<Asset> };

interface Common {
  /** The operation's name in the OpenAPI document and in clients. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below that of the family (families.ts), parameters in braces; may be ''. */
  path: string;
  summary: string;
  /** Refusals beyond those that every operation of its kind shares. */
  errors: ErrorType[];
  status: 200 | 201;
  /**
   * Headers that the operation reads itself, and the documentation has from here; with an Idempotency-Key they are a part
   * of what is asked. None is required.
   */
  headers?: readonly {
    name: string;
    description: string;
    /** A credential is not a part of what is asked: a repeated request may carry another one. */
    isCredential?: true;
  }[];
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  /** Bytes of a body, where it needs fewer than its family takes (families.ts). */
  bodyBytes?: number;
  /** What it counts for the quota of an address that is asked before the body is read. */
  quota?: 'users' | 'conversations' | 'messages';
  /** Values in the lists and objects of a body, where it needs fewer than all bodies may have (limits.bodyValues). */
  bodyValues?: number;
  /**
   * Whether a success or a refusal of this caller goes into the audit trail; left out: the rule of `audit.ts`.
   */
  audit?: (principal: Principal) => boolean;
  /** The workspace that the request is about, where an operator may name another one than `x-workspace-id` does. */
  auditWorkspace?: (request: { params: Record<string, string>; query?: unknown }) => string | undefined;
  /** Brings other accepted spellings of the body into the one that `body` describes. */
  prepare?: (body: unknown) => unknown;
}

/**
 * Adds to the answer what must not be remembered, such as a key. Also called when an answer is repeated. `resource` is
 * the id of what was made.
 */
type Finish = (
  body: Record<string, unknown>,
  call: Pick<Call, 'chat' | 'services' | 'address' | 'body'> & { resource: string },
) => Record<string, unknown>;

type Work =
  | { kind: 'read'; response: v.GenericSchema; run(call: Call<never, never, never, Tx>): Promise<Found> }
  | {
      kind: 'write';
      response: v.GenericSchema;
      run(call: Call<never, never, never>): Promise<Outcome>;
      finish?: Finish;
    }
  /** Answers with a stream of signals of the conversation that `run` admits the caller to. */
  | { kind: 'listen'; run(call: Call<never, never, never, Tx>): Promise<ConversationRow> };

/** What is known before the transaction; the caller may have changed by then. */
type Ahead<Query, Body, Who> = Pick<
  Call<Query, Body, Who>,
  'query' | 'body' | 'services' | 'caller' | 'chat' | 'headers' | 'network'
>;

/** A row of the table, its types forgotten: the pipeline has checked what `run` gets. */
export type Operation = Common & {
  auth: Auth;
  permission?: Permission | null;
  ahead?: (call: Ahead<never, never, never>) => Promise<void>;
} & Work;

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;
/** Who acts for a workspace or a bot needs a permission; null where `run` decides who may do what. */
type Permitted<A extends Auth> = A extends 'workspace' | 'bot'
  ? { permission: Permission | null }
  : { permission?: never };

type Row<A extends Auth, Q, B, T, R> = Omit<Common, 'query' | 'body'> &
  Permitted<A> & {
    auth: A;
    query?: Q;
    body?: B;
    /** What takes its time, before the transaction: nobody waits for it. Throws what refuses the request. */
    ahead?(call: Ahead<Parsed<Q>, Parsed<B>, CallerBy[A]>): Promise<void>;
    run(call: Call<Parsed<Q>, Parsed<B>, CallerBy[A], T>): Promise<R>;
  };

type Schema = v.GenericSchema | undefined;

/** A row that only reads. */
export function reading<A extends Auth, Q extends Schema = undefined, B extends Schema = undefined>(
  row: Row<A, Q, B, Tx, Found> & { response: v.GenericSchema },
): Operation {
  return { ...row, kind: 'read' } as unknown as Operation;
}

/** A row that writes: all of it in one transaction, or nothing. */
export function writing<A extends Auth, Q extends Schema = undefined, B extends Schema = undefined>(
  row: Row<A, Q, B, WriteTx, Outcome> & {
    response: v.GenericSchema;
    finish?: Finish;
  },
): Operation {
  return { ...row, kind: 'write' } as unknown as Operation;
}

/** A row that answers with a stream. */
export function listening(row: Row<'user', undefined, undefined, Tx, ConversationRow>): Operation {
  return { ...row, kind: 'listen' } as unknown as Operation;
}
