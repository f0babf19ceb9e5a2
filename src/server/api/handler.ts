// Joins the declaration of an operation with the function that handles it. The types of the request and the response
// are inferred from the declaration.
import type { Checked, Operation, Output, PathParameters } from '../../protocol/operations/operation.ts';
import type { KeyState } from '../storage/admin/user-keys.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import type { RequestRow } from '../storage/idempotency.ts';
import type { LockName } from '../storage/locks.ts';
import type { AddedUsage, UsageOwners, UsageRow } from '../storage/usage.ts';
import type { Asset } from './asset.ts';
import type { Caller, CallerBy, KeyClaims, Principal } from './caller.ts';

/** Creates the functions with which a feature joins operations and handlers that use `Services`. */
export function createHandle<Services>() {
  // `never`, because only the pipeline knows the types of a call from here on.
  const join = (
    operation: Operation,
    run: (call: never) => Promise<Result>,
    options?: object,
  ): Handler<Services> => ({ ...options, operation, run });
  return {
    handle: <D extends Operation>(
      operation: D,
      run: Run<D, Services, ResultOf<D>>,
      options?: Options<CallOf<D, Services>>,
    ) => join(operation, run, options),
    /** For a body that `decorateResponse` completes. */
    handleDecorated: <D extends Operation, Body extends object>(
      operation: D,
      run: Run<D, Services, Outcome<Body>>,
      options: Options<CallOf<D, Services>> & Decorate<CallOf<D, Services>, Body, Output<D>>,
    ) => join(operation, run, options),
  };
}

/**
 * A handler with erased types, because the pipeline validates the input of `run`. `Services` are those that it uses. These
 * are methods and not functions, so that TypeScript accepts a handler whose call has more specific types.
 */
export interface Handler<Services> extends Options<AnyCall<Services>> {
  operation: Operation;
  run(call: AnyCall<Services>): Promise<Result>;
  decorateResponse?(body: object, call: After<AnyCall<Services>>): object | Promise<object>;
}

/** A call of any operation: its declaration has validated the input, and says which caller and transaction it has. */
export type AnyCall<Services> = Call<unknown, object | undefined, Tx, Services>;

/** A validated request. */
export interface Call<Input = unknown, CallerType = Caller, T = WriteTx, Services = unknown> {
  tx: T;
  caller: CallerType;
  /** The chat endpoint of the request; in the Chat API only. */
  chat: ChatEndpoint;
  params: Record<string, string>;
  headers: Headers;
  /** The query of a GET or DELETE, or the body of a POST or PUT. */
  input: Input;
  services: Services;
  /** The client network (client-address.ts); '' if it is unknown. */
  network: string;
  /** Counts what a visitor sends or creates; in the Chat API only. */
  quota: RequestQuota;
  /**
   * Returns the address of the API as the caller reaches it, without a slash at the end: the address of the chat, or of
   * the server for all other APIs.
   */
  address(): string;
}

/** The result of a handler; `resource` is the id of the created resource, for Idempotency-Key. */
export type Outcome<Body extends object = object> = {
  resource?: string;
  /** The id of the resource that the response describes, if none was created: the cached response is deleted with it. */
  about?: string;
  /**
   * Large responses are not cached, and a repeated request is rejected (409). For responses that grow with the input.
   */
  skipIdempotencyCache?: boolean;
  /** The value of the cookie of a session that begins with the response; '' ends that of the request. */
  session?: string;
  /** The same for the cookie of a sign-in with another service, which has not ended yet. */
  oidcSession?: string;
} & (
  | { body: Body; oneTimeFields?: never }
  /** `oneTimeFields` are added to the first response and never stored. A repeated request is rejected (409). */
  | { body: Partial<Body>; oneTimeFields: Partial<Body> }
);

/** Existing bytes, which are loaded after the transaction. */
export interface AssetOutcome {
  asset(): Promise<Asset>;
}
/** The conversation whose stream the caller can open. */
export interface Admitted {
  conversation: ConversationRow;
}

/** The access of an open stream of a team. */
export interface TeamStreamGrant {
  /** Reads the caller again, and what else `look` reads. Rejects when they have no access any more. */
  check<T>(look: (tx: Tx, caller: Principal) => Promise<T>): Promise<T>;
  /** Acquires a slot for a stream of the member; the result releases it. Rejects when none is free. */
  acquireSlot(memberId: string): Promise<() => void>;
}

/** A response that opens the stream of a team. */
export interface TeamStream {
  stream(grant: TeamStreamGrant): Promise<Response>;
}

/** The result of a handler. */
export type Result = Outcome | AssetOutcome | Admitted | TeamStream;

type TxOf<D extends Operation> = D['kind'] extends 'mutation' ? WriteTx : Tx;
type BodyOf<D> = Output<D> extends object ? Output<D> : object;
type ResultOf<D extends Operation> = D['kind'] extends 'subscription'
  ? Admitted
  : D['kind'] extends 'teamSubscription'
    ? TeamStream
    : Outcome<BodyOf<D>> | AssetOutcome;

/** The call that the handler of an operation receives. */
export type CallOf<D extends Operation, Services> = Call<
  Checked<D>,
  CallerBy[D['auth']],
  TxOf<D>,
  Services
> & { params: PathParameters<D> };

/** The part of a call that is known before the transaction. The caller may have changed when the transaction runs. */
type Before<C> = Omit<C, 'tx' | 'params' | 'address' | 'quota'>;
/** The part of a call that is known when a response is decorated; `resource` is the id of the created resource. */
type After<C> = Pick<C, Extract<keyof C, 'chat' | 'services' | 'address' | 'input'>> & { resource: string };

export interface Options<C extends { input: unknown }> {
  /** Slow work before the transaction. Throws to reject the request. */
  beforeTransaction?(call: Before<C>): Promise<void>;
  /**
   * The locks that the transaction takes first, besides those of its caller: before the caller is checked again, and
   * before the handler reads anything.
   */
  locks?(call: Omit<C, 'tx' | 'quota' | 'address'>): LockName[];
  /** Nothing of the workspace is stored or compared: the request does not wait for its changes. */
  needsNoLock?: true;
  /**
   * Runs a frequent request of a caller that is known before the transaction, in a transaction of its own, whose conditions replace
   * what others read in theirs: the caller, the bot, and that the request was not made before. Resolves with undefined if it has to
   * run as all others do, which finds out why.
   */
  runKnown?(call: KnownCall<C>): Promise<Outcome | undefined>;
  /**
   * The part of the body that identifies a repeated request (Idempotency-Key); by default all of it.
   */
  identifyingBody?(body: C['input']): unknown;
  /** Parses the text of the body in another way than `JSON.parse`. Throws for text that is not JSON. */
  parseBody?(text: string): unknown;
  /** Converts other accepted notations of the body to the one that the declaration describes. */
  normalizeBody?(body: unknown): unknown;
  /**
   * Whether a successful or rejected request of this caller is recorded in the audit trail; the default is the rule of
   * `audit.ts`.
   */
  audit?(principal: Principal): boolean;
  /** The workspace that the request is about, if an operator can name another one than `x-workspace-id`. */
  auditWorkspace?(request: { params: Record<string, string>; input?: C['input'] }): string | undefined;
}

/** The call of a request whose caller is known before the transaction. */
export type KnownCall<C> = Omit<C, 'tx'> & {
  request: RequestKey | undefined;
  /** Counts the stored response in the quotas, and returns its row; undefined without an Idempotency-Key. Throws RateLimited. */
  keep(outcome: Outcome): RequestRow | undefined;
};

/** An idempotent request as its row is stored. */
export interface RequestKey {
  caller: string;
  operation: string;
  key: string;
}

export interface Decorate<C, Body, Decorated> {
  /** Adds values to the response that must not be stored, such as a key. Also called when a response is repeated. */
  decorateResponse(body: Body, call: After<C>): Decorated | Promise<Decorated>;
}

type Run<D extends Operation, Services, Result> = (call: CallOf<D, Services>) => Promise<Result>;

/** The chat endpoint of a request: its bot and the user keys. */
export interface ChatEndpoint {
  bot: BotRow;
  keys: UserKeys;
  /** The user whom the key of the request names, before its signature is verified; undefined if none was found. */
  claimed?: { key: Pick<KeyClaims, 'id' | 'isIssued' | 'hash'>; state: KeyState } | undefined;
}

/** Signs and verifies the user keys of one bot. */
export interface UserKeys {
  /** Signs a key for the user `id` with further claims. */
  sign(id: string, claims?: object): string;
  /** Returns the claims of a key with a valid signature, expired or not; undefined for any other text. */
  inspect(key: string): KeyClaims | undefined;
  /**
   * Says in a sentence why a key is refused; undefined for a valid key, and for one without a valid signature, of which nothing
   * is revealed.
   */
  explain(key: string): string | undefined;
  /**
   * Returns the id in a key; undefined when its signature is invalid, or it has expired (`exp`) or is not valid yet
   * (`nbf`).
   */
  verify(key: string): string | undefined;
}

/** The counted units (limits/quotas.ts). */
export type CountedContent = 'message' | 'file' | 'feedback' | 'answer' | 'profile';

/** The counters of one request, with which handlers count what a visitor sends or creates. */
export interface RequestQuota {
  /** Throws RateLimited when the address has used up its quota of `unit`. Counts nothing. */
  assertAvailable(unit: 'users' | 'conversations' | 'messages'): void;
  /** Counts a new user or conversation, or a mail to an address that is not confirmed. Throws RateLimited. */
  create(unit: 'users' | 'conversations' | 'mails'): void;
  /**
   * Counts one write of a visitor with its stored bytes. Throws RateLimited for an hourly or daily quota, QuotaExceeded
   * for a quota of stored data. The caller must let the error roll back the transaction.
   */
  send(tx: WriteTx, content: CountedContent, owners: UsageOwners, bytes: number): Promise<void>;
  /**
   * Counts a message that is stored together with others, as `send` does: in `sums`, which the caller stores. Throws before
   * it counts anything there.
   */
  sendTogether(sums: UsageSums, owners: Required<UsageOwners>, bytes: number): void;
  /** Throws when the usage, as it was stored with that of other messages, exceeds a limit after all. */
  assertWithin(rows: readonly UsageRow[], owners: UsageOwners, bytes: number): void;
  /** Counts additional stored bytes, such as a response that is cached for an Idempotency-Key. Throws RateLimited. */
  countStoredBytes(bytes: number): void;
  /** Reverts what was counted for the address, because the request failed. */
  undo(): void;
}

/** The usage of the owners of messages that are stored together. */
export interface UsageSums {
  /** The usage of these owners if a message with these bytes is added. */
  with(ids: readonly string[], bytes: number): UsageRow[];
  /** Adds a message to these owners. */
  add(ids: readonly string[], bytes: number): void;
  /** The usage that was added to each owner. */
  readonly added: AddedUsage[];
}
