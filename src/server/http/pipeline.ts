// The way of a request through an operation: key, body, checks, one transaction, answer. Every operation goes it.
import type { Context } from 'hono';
import * as v from 'valibot';
import type { ErrorType } from '../../protocol/error.ts';
import { hasBody, type Operation } from '../../protocol/operations/operation.ts';
import { ApiError } from '../api/errors.ts';
import { explain } from '../api/validation-messages.ts';
import type { Caller } from '../auth/caller.ts';
import { assertChatEndpoint, type ChatEndpoint, chatEndpointOf } from '../auth/chat-endpoint.ts';
import { readCaller } from '../auth/identify.ts';
import type { BotPrincipal, Principal } from '../auth/principal.ts';
import type { NetworkReader } from '../limits/client-address.ts';
import type { FreeDisk } from '../limits/free-disk.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { StreamSlots } from '../limits/stream-slots.ts';
import type { Call, Handler, Outcome, Result } from '../operations/handler.ts';
import { readLastEventId } from '../realtime/event-replay.ts';
import type { Presence } from '../realtime/presence.ts';
import type { PubSub } from '../realtime/pub-sub.ts';
import { type Authorize, openStream, streamHeaders } from '../realtime/stream.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import type { Services } from './apis.ts';
import type { AuditedRequest, AuditTrail } from './audit.ts';
import { readJson } from './body.ts';
import { once, readIdempotencyKey } from './idempotency.ts';
import { readQuery } from './query.ts';
import { jsonResponse } from './static-files.ts';

export interface PipelineOptions {
  db: Database;
  pubSub: PubSub;
  presence: Presence;
  services: Services;
  /** A keyed hash of the network of a request, for what is stored: addresses of visitors are not. */
  networkDigest(network: string): string;
  /** Bytes of one request body, and values in its lists and objects. */
  bodyBytes: number;
  bodyValues: number | undefined;
  /** What addresses in answers begin with, as the sender of the request reaches it; without a slash at the end. */
  addressOf(request: Request): string;
  /** Where a request comes from. */
  clientOf: NetworkReader;
  streamSlots: StreamSlots;
  audit: AuditTrail;
  quotas: Quotas;
  disk: FreeDisk;
}

/** Bytes of a remembered answer beside its body: key, caller, digest and the indexes on them. */
const requestRowBytes = 600;

/** The handler of one operation. What it throws is an ApiError, or a fault of ours. */
export function createHandler(handler: Handler<Services>, options: PipelineOptions) {
  const handle = createWork(handler, options);

  return async (c: Context): Promise<Response> => {
    const { headers } = c.req.raw;
    const request: AuditedRequest = {
      handler,
      headers,
      params: c.req.param(),
      network: options.clientOf(c),
    };
    try {
      return await handle(c, request);
    } catch (error) {
      await options.audit.refused(request, error);
      throw error;
    }
  };
}

/** Does what is asked. Fills in what it learns of the request, for the audit trail. */
function createWork(handler: Handler<Services>, options: PipelineOptions) {
  const { db, services, audit } = options;
  const { operation } = handler;

  return async (c: Context, request: AuditedRequest): Promise<Response> => {
    const chat = chatEndpointOf(c);
    const identify = readCaller(operation, c.req.raw.headers, chat, services);
    // Before the body is read: an unknown caller is not worth a megabyte.
    const asking = await db.read(identify);
    request.principal = principalIn(asking);
    const { params, network } = request;
    const quota = options.quotas.request(network);
    if (chat && operation.kind === 'mutation' && operation.method !== 'DELETE') {
      await options.disk.reserve(0);
      // A repeated request counts nothing; whether it is one is known only in the transaction.
      if (operation.quota && !c.req.header('idempotency-key')) quota.assertAvailable(operation.quota);
    }
    // No id has a NUL, and SQLite would read only what stands before it.
    if (Object.values(params).some((value) => value.includes('\0'))) {
      throw new ApiError('ResourceNotFound', 'There is nothing of this id.');
    }
    const call = {
      params,
      headers: c.req.raw.headers,
      input: await readInput(handler, options, c.req.raw),
      // Only operations of the Chat API ask for it.
      chat: chat as ChatEndpoint,
      services,
      network,
      quota,
      address: () => options.addressOf(c.req.raw),
    };
    request.input = call.input;
    const isRecorded = audit.covers(request);
    // The declaration has just checked the input, and `readCaller` found the caller that it asks for.
    await handler.beforeTransaction?.({ ...call, caller: asking } as Call<never, never, never, Services>);
    // Again, in the transaction of the work: the caller may have been deleted since, and so may the bot.
    const bind = async (tx: Tx): Promise<Bound> => {
      if (chat) await assertChatEndpoint(tx, chat);
      return { ...call, tx, caller: await identify(tx) } as Bound;
    };

    if (operation.kind === 'subscription') {
      return listen(c, options, async (tx) => {
        const bound = await bind(tx);
        const result = await handler.run(bound);
        if (!('conversation' in result)) throw new Error(`${operation.id} admits to no stream.`);
        const { user }: Caller = bound.caller;
        return { conversation: result.conversation, userId: user.id };
      });
    }
    /** The record is a part of the transaction: no work without it, and no answer. */
    const recorded = async (tx: WriteTx, bound: Bound) => {
      if (!isRecorded) return handler.run(bound);
      const record = await audit.begin(tx, { ...request, principal: principalIn(bound.caller) });
      const result = await handler.run(bound);
      await record('body' in result ? result : {});
      return result;
    };
    if (operation.kind === 'query') {
      const result = isRecorded
        ? await db.write(async (tx) => recorded(tx, await bind(tx)))
        : await db.read(async (tx) => handler.run(await bind(tx)));
      return 'asset' in result
        ? jsonResponse(c.req.raw, await result.asset())
        : answer(outcomeOf(operation, result).body, operation.status);
    }
    const isAnonymous = operation.auth === 'none';
    const key =
      operation.method === 'POST'
        ? readIdempotencyKey(c.req.header('idempotency-key'), isAnonymous)
        : undefined;
    let oneTimeFields: object | undefined;
    const run = db.write(async (tx) => {
      const bound = await bind(tx);
      const work = async () => {
        const outcome = outcomeOf(operation, await recorded(tx, bound));
        oneTimeFields = outcome.oneTimeFields;
        if (chat && key !== undefined)
          quota.countStoredBytes(Buffer.byteLength(JSON.stringify(outcome.body)) + requestRowBytes);
        return outcome;
      };
      if (key === undefined) return work();
      const caller = isAnonymous
        ? `${chat?.bot.id} ${options.networkDigest(call.network)}`
        : idOf(bound.caller, chat);
      const read = operation.headers
        ?.filter(({ isCredential }) => !isCredential)
        .map(({ name }) => [name, call.headers.get(name)]);
      // Without such headers what it always was: what is remembered outlives an update of the server.
      const content = { params: call.params, body: call.input, ...(read?.length ? { headers: read } : {}) };
      return once(tx, { key, caller, isAnonymous, operation: operation.id, content }, services.now(), work);
    });
    const { body, resource = '' } = await run.catch((error: unknown) => {
      quota.undo();
      throw error;
    });
    // The body is what `run` returned, now or when the request was sent first.
    const decorated = handler.decorateResponse?.(body as never, { ...call, resource } as never) ?? body;
    return answer({ ...decorated, ...oneTimeFields }, operation.status);
  };
}

/** A call with its types erased: never fits what every handler asks for. */
type Bound = Call<never, never, never, Services>;

function outcomeOf(operation: Operation, result: Result): Outcome {
  if ('body' in result) return result;
  throw new Error(`${operation.id} has no body.`);
}

/** The holder of a token, where that is who calls. */
const principalIn = (caller: object | undefined): Principal | undefined =>
  caller && 'tokenId' in caller ? (caller as Principal) : undefined;

async function listen(c: Context, options: PipelineOptions, admit: Authorize): Promise<Response> {
  if (c.req.raw.method === 'HEAD') {
    // HEAD has no body to close a stream by, so none is opened.
    await options.db.read(admit);
    return new Response(null, { headers: streamHeaders });
  }
  const key = c.req.header('x-user-key') ?? '';
  return openStream(options, admit, readLastEventId(c.req.header('last-event-id')), {
    acquireSlot: (userId) => options.streamSlots.acquire(userId, options.clientOf(c)),
    isValid: () => chatEndpointOf(c)?.keys.verify(key) !== undefined,
  });
}

/** The checked query or body; undefined where the operation has none. */
async function readInput(
  { operation, normalizeBody }: Handler<Services>,
  { bodyBytes, bodyValues }: PipelineOptions,
  request: Request,
): Promise<unknown> {
  const { input } = operation;
  if (!input) return undefined;
  if (!hasBody(operation)) {
    return check(input, readQuery(new URL(request.url), input), 'InvalidQuery');
  }
  const { value, size } = await readJson(request, operation.bodyBytes ?? bodyBytes, bodyValues);
  // To a schema of an object a list is an object without fields.
  if (Array.isArray(value)) throw new ApiError('InvalidPayload', 'The body: Expected an object.');
  return check(input, normalizeBody ? normalizeBody(value) : value, 'InvalidPayload', size);
}

/** Bytes of a body up to which all that is wrong with it is looked for: in 1 MB that may be 600,000 things, and seconds. */
const examinedBytes = 16_000;

/** The checked value, or a refusal that names the first ten things that are wrong, or one where `size` is large. */
function check(schema: v.GenericSchema, value: unknown, type: ErrorType, size = 0): unknown {
  const result = v.safeParse(schema, value, { abortEarly: size > examinedBytes });
  if (result.success) return result.output;
  const issues = result.issues
    .slice(0, 10)
    .map((issue) => ({ path: v.getDotPath(issue) ?? '', message: explain(issue) }));
  const [first] = issues;
  throw new ApiError(type, `${first?.path || 'The body'}: ${first?.message}`, { issues });
}

/** Under whose name an answer is remembered: the server id of a user, where they have to exist; a token, and its bot. */
function idOf(
  caller: Partial<Caller & Principal & BotPrincipal> | undefined,
  chat: ChatEndpoint | undefined,
): string {
  if (caller?.tokenId) {
    const { tokenId, workspaceId, homeWorkspaceId } = caller;
    // One key of an operator is another request in each workspace.
    const place = caller.botId ?? (workspaceId === homeWorkspaceId ? '' : workspaceId);
    return `${tokenId} ${place}`;
  }
  return caller?.user?.id ?? `${chat?.bot.id} ${caller?.id ?? ''}`;
}

function answer(body: unknown, status: number): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}
