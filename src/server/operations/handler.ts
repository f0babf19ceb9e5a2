// Joins the declaration of an operation with the function that handles it. The types of the request and of the answer
// are inferred from the declaration.
import type { Checked, Operation, Output, PathParameters } from '../../protocol/operations/operation.ts';
import type { Asset } from '../api/asset.ts';
import type { Caller, CallerBy } from '../auth/caller.ts';
import type { ChatEndpoint } from '../auth/chat-endpoint.ts';
import type { Principal } from '../auth/principal.ts';
import type { RequestQuota } from '../limits/quotas.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../storage/database.ts';

/** A checked request. */
export interface Call<Input = unknown, Who = Caller, T = WriteTx, Services = unknown> {
  tx: T;
  caller: Who;
  /** The chat that was addressed; of the Chat API only. */
  chat: ChatEndpoint;
  params: Record<string, string>;
  headers: Headers;
  /** The query of a GET or DELETE, the body of a POST or PUT. */
  input: Input;
  services: Services;
  /** The network that the request comes from, as `client-address.ts` names it; '' where that is unknown. */
  network: string;
  /** Counts what a visitor sends or creates; of the Chat API only. */
  quota: RequestQuota;
  /**
   * The address of the API as the caller reaches it, without a slash at the end: of the chat, or of the server for all
   * other APIs.
   */
  address(): string;
}

/** The result of a handler; `resource` is the id of what it created, for Idempotency-Key. */
export type Outcome<Body extends object = object> = {
  resource?: string;
  /** Large bodies are not cached; then a repeated request is refused (409). For bodies that grow with the input. */
  skipIdempotencyCache?: boolean;
} & (
  | { body: Body; oneTimeFields?: never }
  /** `oneTimeFields` are added to the first answer and stored nowhere. A repeated request is refused (409). */
  | { body: Partial<Body>; oneTimeFields: Partial<Body> }
);

/** Bytes that exist already; they are loaded after the transaction. */
export interface AssetOutcome {
  asset(): Promise<Asset>;
}
/** The conversation whose stream the caller is admitted to. */
export interface Admitted {
  conversation: ConversationRow;
}

/** What a handler returns. */
export type Result = Outcome | AssetOutcome | Admitted;

type TxOf<D extends Operation> = D['kind'] extends 'mutation' ? WriteTx : Tx;
type BodyOf<D> = Output<D> extends object ? Output<D> : object;
type ResultOf<D extends Operation> = D['kind'] extends 'subscription'
  ? Admitted
  : D['kind'] extends 'query'
    ? Outcome<BodyOf<D>> | AssetOutcome
    : Outcome<BodyOf<D>>;

/** The call that the handler of an operation gets. */
export type CallOf<D extends Operation, Services> = Call<
  Checked<D>,
  CallerBy[D['auth']],
  TxOf<D>,
  Services
> & { params: PathParameters<D> };

/** What is known before the transaction; the caller may have changed by the time of the transaction. */
type Before<C> = Omit<C, 'tx' | 'params' | 'address' | 'quota'>;
/** What is known when an answer is decorated; `resource` is the id of what was created. */
type After<C> = Pick<C, Extract<keyof C, 'chat' | 'services' | 'address' | 'input'>> & { resource: string };

export interface Options<C extends { input: unknown }> {
  /** Slow work, before the transaction. Throws to refuse the request. */
  beforeTransaction?(call: Before<C>): Promise<void>;
  /** Converts other accepted spellings of the body into the one that the declaration describes. */
  normalizeBody?(body: unknown): unknown;
  /** Whether a success or a refusal of this caller is recorded in the audit trail; left out: the rule of `audit.ts`. */
  audit?(principal: Principal): boolean;
  /** The workspace that the request is about, where an operator may name another one than `x-workspace-id` does. */
  auditWorkspace?(request: { params: Record<string, string>; input?: C['input'] }): string | undefined;
}

export interface Decorate<C, Body, Decorated> {
  /** Adds to the answer what must not be stored, such as a key. Also called when an answer is repeated. */
  decorateResponse(body: Body, call: After<C>): Decorated;
}

/** A handler, its types erased: the pipeline checks what `run` gets. `Services` are what it needs. */
export interface Handler<Services> extends Options<Call<never, never, never, Services>> {
  operation: Operation;
  run(call: Call<never, never, never, Services>): Promise<Result>;
  decorateResponse?(body: never, call: After<Call<never, never, never, Services>>): object;
}

type Run<D extends Operation, Services, Result> = (call: CallOf<D, Services>) => Promise<Result>;

/** Makes the functions with which a feature joins operations and handlers, which need `Services`. */
export function createHandle<Services>() {
  // `never`: from here on nobody but the pipeline knows what a call holds.
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
