// Runs an operation that writes: in one transaction, and once for each Idempotency-Key.
import type { Operation } from '../../protocol/operations/operation.ts';
import type { BotPrincipal, Caller, KeyCaller, Principal } from '../api/caller.ts';
import type { AnyCall, AssetOutcome, ChatEndpoint, Handler, Outcome, Result } from '../api/handler.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import type { LockName } from '../storage/locks.ts';
import type { Services } from './apis.ts';
import { type IdempotentRequest, once, readIdempotencyKey, requestRowOf } from './idempotency.ts';

/** A call in its transaction. */
export type Bound = AnyCall<Services>;

export interface Mutation {
  call: Omit<Bound, 'tx' | 'caller'>;
  /** The caller, read before the transaction. */
  caller: object | undefined;
  /** Reads the caller again. */
  bind(tx: Tx): Promise<Bound>;
  /** Runs the handler. */
  run(tx: WriteTx, bound: Bound): Promise<Result>;
}

export interface MutationResult extends Pick<Outcome, 'body' | 'resource'> {
  /** The result of the handler; undefined for a repeated request. */
  oneTimeFields?: object | undefined;
  session?: string | undefined;
  oidcSession?: string | undefined;
  asset?: AssetOutcome['asset'] | undefined;
}

/** Bytes of a cached response in addition to its body: key, caller, digest and their indexes. */
const requestRowBytes = 600;

/** The services of requests, the same for all requests of an operation. */
export interface MutationOptions {
  db: Database;
  networkDigest(network: string): string;
}

/** Returns the function that runs the requests of one operation. */
export const createMutations =
  (handler: Handler<Services>, options: MutationOptions) =>
  (mutation: Mutation): Promise<MutationResult> =>
    runMutation(handler, mutation, options);

async function runMutation(
  handler: Handler<Services>,
  { call, caller, bind, run }: Mutation,
  { db, networkDigest }: MutationOptions,
): Promise<MutationResult> {
  const { operation } = handler;
  const { quota, services } = call;
  // Only operations of the Chat API have one.
  const chat = call.chat as ChatEndpoint | undefined;
  const isAnonymous = operation.auth === 'none';
  const header = call.headers.get('idempotency-key') ?? undefined;
  const isRepeatable = operation.method === 'POST' && !operation.hasSecrets;
  const key = isRepeatable ? readIdempotencyKey(header, isAnonymous) : undefined;

  function requestOf(identity: object | undefined): IdempotentRequest | undefined {
    if (key === undefined) return undefined;
    const caller = isAnonymous ? `${chat?.bot.id} ${networkDigest(call.network)}` : idOf(identity, chat);
    const read = operation.headers
      ?.filter(({ isVolatile }) => !isVolatile)
      .map(({ name }) => [name, call.headers.get(name)]);
    // Without such headers the form is unchanged, because cached responses outlive an update of the server.
    const body = handler.identifyingBody ? handler.identifyingBody(call.input) : call.input;
    const content = { params: call.params, body, ...(read?.length ? { headers: read } : {}) };
    return { key, caller, isAnonymous, operation: `${operation.id}${limitOf(identity)}`, content };
  }

  /** Counts a response that is stored for a repeated request. */
  function counted(outcome: Outcome): Outcome {
    if (chat && key !== undefined)
      quota.countStoredBytes(Buffer.byteLength(JSON.stringify(outcome.body)) + requestRowBytes);
    return outcome;
  }

  async function runKnown(): Promise<MutationResult | undefined> {
    if (!handler.runKnown) return undefined;
    const request = requestOf(caller);
    const keep = (outcome: Outcome) => request && requestRowOf(request, counted(outcome), services.now());
    return handler.runKnown({ ...call, caller, request, keep });
  }

  const runInFull = (): Promise<MutationResult> =>
    db.write(async (tx) => {
      // Counts of an unfinished run.
      quota.undo();
      const callWithCaller = { ...call, caller };
      const ofCaller = handler.needsNoLock ? [] : locksOf(operation, caller);
      await tx.lock(...ofCaller, ...(handler.locks?.(callWithCaller) ?? []));
      const bound = await bind(tx);
      let now: Omit<MutationResult, 'body' | 'resource'> = {};
      const work = async () => {
        const result = await run(tx, bound);
        if ('asset' in result) {
          now = { asset: result.asset };
          return { body: {} };
        }
        const outcome = outcomeOf(operation, result);
        const { oneTimeFields, session, oidcSession } = outcome;
        now = { oneTimeFields, session, oidcSession };
        return counted(outcome);
      };
      const request = requestOf(bound.caller);
      const { body, resource } = request ? await once(tx, request, services.now(), work) : await work();
      return { body, ...(resource === undefined ? {} : { resource }), ...now };
    });

  try {
    return (await runKnown()) ?? (await runInFull());
  } catch (error) {
    quota.undo();
    throw error;
  }
}

/**
 * The locks of a caller: a user is not deleted or merged while they do something else, and the changes of a workspace
 * follow each other, because most of them compare with what is stored.
 */
function locksOf(
  { auth }: Operation,
  caller: Partial<Caller & KeyCaller & Principal> | undefined,
): LockName[] {
  const userId = caller?.user?.id ?? caller?.found?.id;
  if (userId !== undefined) return [`owner:${userId}`];
  if (!caller?.credentialId || auth === 'bot') return [];
  return [`workspace:${caller.workspaceId}`, `workspace:${caller.homeWorkspaceId}`];
}

export function outcomeOf(operation: Operation, result: Result): Outcome {
  if ('body' in result) return result;
  throw new Error(`${operation.id} has no body.`);
}

/** Separates the responses to a key that is limited to one conversation: it does not get those to other keys of its user. */
const limitOf = (caller: Partial<Caller> | undefined): string => {
  const [conversationId] = caller?.key?.conversationIds ?? [];
  return conversationId === undefined ? '' : ` in ${conversationId}`;
};

/** Returns the id under which a response is cached: the server id of an existing user, or a token and its bot. */
function idOf(
  caller: Partial<Caller & Principal & BotPrincipal> | undefined,
  chat: ChatEndpoint | undefined,
): string {
  if (caller?.credentialId) {
    const { credentialId, workspaceId, homeWorkspaceId } = caller;
    // The same key of an operator is a different request in each workspace.
    const scope = caller.botId ?? (workspaceId === homeWorkspaceId ? '' : workspaceId);
    return `${credentialId} ${scope}`;
  }
  return caller?.user?.id ?? `${chat?.bot.id} ${caller?.id ?? ''}`;
}
