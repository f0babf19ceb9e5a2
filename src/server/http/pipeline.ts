// Processes the request of every operation: key, body, validation, one transaction, response.
import type { Context } from 'hono';
import { userKeyFields } from '../../protocol/schemas/chat.ts';
import type { Caller, Principal } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import type { ChatEndpoint, Handler } from '../api/handler.ts';
import { createYielder } from '../api/yielder.ts';
import { assertChatEndpoint, chatEndpointOf } from '../auth/chat-endpoint.ts';
import { readCaller } from '../auth/identify.ts';
import { isSignedAfter } from '../auth/revocation.ts';
import { renewSessionOf, sessionAccessOf, setCookiesOf } from '../auth/session-requests.ts';
import { assertUnlimitedInput } from '../auth/user-keys.ts';
import type { NetworkReader } from '../limits/client-address.ts';
import type { FreeDisk } from '../limits/free-disk.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { StreamReader, StreamSlots } from '../limits/slots.ts';
import { readLastEventId } from '../realtime/event-replay.ts';
import {
  type Authorize,
  type EventStreamGrant,
  type EventStreamServices,
  openEventStream,
  streamHeaders,
} from '../realtime/event-stream.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { countReads } from '../storage/read-bytes.ts';
import type { Services } from './apis.ts';
import type { AuditedRequest, AuditTrail } from './audit.ts';
import { type Bound, createMutations, outcomeOf } from './mutation.ts';
import type { RateLimit } from './rate-limit.ts';
import { readInput } from './read-input.ts';
import { jsonResponse } from './static-files.ts';

export interface PipelineOptions extends EventStreamServices {
  services: Services;
  /** Returns a keyed hash of the network of a request, because addresses of visitors are not stored. */
  networkDigest(network: string): string;
  /** The maximum bytes of a request body, and the maximum number of values in its lists and objects. */
  bodyBytes: number;
  bodyValues: number | undefined;
  /** Reads bodies with more than 1 MB in another thread. */
  /** The base of addresses in responses, as the client reaches the server, without a slash at the end. */
  addressOf(request: Request): string;
  /** Returns the client network of a request. */
  clientOf: NetworkReader;
  streamSlots: StreamSlots;
  audit: AuditTrail;
  quotas: Quotas;
  /** Counts a query by the bytes that it reads. */
  rateLimit: Pick<RateLimit, 'ofQuery'>;
  /** The API accepts the sessions of members. */
  hasSessions?: boolean;
  /** Pages of other origins may call the API. */
  hasCors: boolean;
  disk: FreeDisk;
}

/** Creates the handler of one operation. It throws an ApiError, or any other error for a defect of the server. */
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

/** Creates the function that runs an operation. It completes the record of the request for the audit trail. */
function createWork(handler: Handler<Services>, options: PipelineOptions) {
  const { db, services, audit } = options;
  const { operation } = handler;
  const mutate = createMutations(handler, options);
  const keyFields = userKeyFields(operation);

  return async (c: Context, request: AuditedRequest): Promise<Response> => {
    const chat = chatEndpointOf(c);
    const address = () => options.addressOf(c.req.raw);
    const session = options.hasSessions ? sessionAccessOf(c, address(), options.hasCors) : undefined;
    const identify = readCaller(operation, c.req.raw.headers, { chat, session }, services);
    // Before the body is read, so that an unknown caller cannot cause the work of reading a megabyte.
    const caller = identify.verifiedCaller?.() ?? (await db.read(identify));
    request.principal = principalIn(caller);
    if (request.principal?.session) {
      await renewSessionOf(c, request.principal, { db, address: address(), now: services.now() });
    }
    const { params, network } = request;
    const quota = options.quotas.request(network);
    if (chat && operation.kind === 'mutation' && operation.method !== 'DELETE') {
      await options.disk.reserve(0);
      // A repeated request counts nothing; only the transaction can detect that it is repeated.
      if (operation.quota && !c.req.header('idempotency-key')) quota.assertAvailable(operation.quota);
    }
    // No id contains a NUL, and SQLite would read only the part before it.
    if (Object.values(params).some((value) => value.includes('\0'))) {
      throw new ApiError('ResourceNotFound', 'Nothing has this id.');
    }
    const call = {
      params,
      headers: c.req.raw.headers,
      input: await readInput(handler, options, c.req.raw),
      // Only operations of the Chat API use it.
      chat: chat as ChatEndpoint,
      services,
      network,
      quota,
      address,
    };
    request.input = call.input;
    assertUnlimitedInput(call.chat, call.input, keyFields);
    const isRecorded = audit.covers(request);
    await handler.beforeTransaction?.({ ...call, caller });
    // Repeated in the transaction of the request, because the caller or the bot may have been deleted since.
    const bind = async (tx: Tx): Promise<Bound> => {
      if (chat) await assertChatEndpoint(tx, chat);
      return { ...call, tx, caller: await identify(tx) };
    };

    if (operation.kind === 'subscription') {
      return listen(c, options, async (tx) => {
        const bound = await bind(tx);
        const result = await handler.run(bound);
        if (!('conversation' in result)) throw new Error(`${operation.id} admits to no stream.`);
        // The declarations of these streams require a user.
        const { user, key } = bound.caller as Caller;
        return { conversation: result.conversation, userId: user.id, keyHash: key.hash };
      });
    }
    if (operation.kind === 'teamSubscription') {
      const result = await db.read(async (tx) => handler.run(await bind(tx)));
      if (!('stream' in result)) throw new Error(`${operation.id} opens no stream.`);
      if (c.req.raw.method === 'HEAD') return new Response(null, { headers: streamHeaders });
      return result.stream({
        // The declarations of these streams require a member.
        check: (look) => db.read(async (tx) => look(tx, (await bind(tx)).caller as Principal)),
        acquireSlot: slotFor(options, network, 'member'),
      });
    }
    /** The audit record is part of the transaction: if it cannot be written, the request fails. */
    const recorded = async (tx: WriteTx, bound: Bound) => {
      if (!isRecorded) return handler.run(bound);
      const record = await audit.begin(tx, { ...request, principal: principalIn(bound.caller) });
      const result = await handler.run(bound);
      await record('body' in result ? result : {});
      return result;
    };
    if (operation.kind === 'query') {
      const settle = options.rateLimit.ofQuery(c, operation.isHeavy === true);
      const reads = { bytes: 0 };
      const result = await db
        .read(async (tx) => handler.run(await bind(countReads(tx, reads))))
        .finally(() => settle(reads.bytes));
      // Afterwards, because some queries have effects in memory, which must not happen twice, or write by themselves.
      if (isRecorded) {
        await db.write(async (tx) => {
          const record = await audit.begin(tx, request);
          await record('body' in result ? result : {});
        });
      }
      return 'asset' in result
        ? jsonResponse(c.req.raw, await result.asset())
        : bodyResponseOf(outcomeOf(operation, result).body, operation.status, reads.bytes);
    }
    const done = await mutate({ call, caller, bind, run: recorded });
    const { body, resource = '', oneTimeFields, asset } = done;
    if (session) setCookiesOf(c, done, address());
    if (asset) return jsonResponse(c.req.raw, await asset());
    // The body is what the handler returned, now or for the first of the repeated requests.
    const decorated = (await handler.decorateResponse?.(body, { ...call, resource })) ?? body;
    return bodyResponse({ ...decorated, ...oneTimeFields }, operation.status);
  };
}

/** The caller if it has a token or a session. */
const principalIn = (caller: object | undefined): Principal | undefined =>
  caller && 'credentialId' in caller ? (caller as Principal) : undefined;

async function listen(c: Context, options: PipelineOptions, admit: Authorize): Promise<Response> {
  if (c.req.raw.method === 'HEAD') {
    // A HEAD response has no body whose end would close the stream, so no stream is opened.
    await options.db.read(admit);
    return new Response(null, { headers: streamHeaders });
  }
  const lastEventId = readLastEventId(c.req.header('last-event-id'));
  return openEventStream(options, admit, lastEventId, grantOf(c, options));
}

/** Separate from the request, whose context has several kilobytes: these functions outlive it. */
function grantOf(c: Context, options: PipelineOptions): EventStreamGrant {
  const key = c.req.header('x-user-key') ?? '';
  const endpoint = chatEndpointOf(c);
  return {
    ...checksOf(key, endpoint, options.services),
    acquireSlot: slotFor(options, options.clientOf(c), 'user'),
  };
}

const slotFor =
  ({ streamSlots }: PipelineOptions, network: string, kind: StreamReader): EventStreamGrant['acquireSlot'] =>
  (id) =>
    streamSlots.acquire(id, network, kind);

function checksOf(
  key: string,
  endpoint: ReturnType<typeof chatEndpointOf>,
  { now }: Pick<PipelineOptions['services'], 'now'>,
): Pick<EventStreamGrant, 'isValid' | 'accepts'> {
  return {
    isValid: () => endpoint?.keys.verify(key) !== undefined,
    accepts({ ownKeys, isRevoked, keysValidAfter }) {
      const signed = endpoint?.keys.inspect(key);
      return (
        signed !== undefined &&
        ownKeys === endpoint?.bot.ownKeys &&
        !isRevoked &&
        isSignedAfter(signed, keysValidAfter, now())
      );
    },
  };
}

/** Bytes that a query has read above which its response is written in pieces. */
const largeBytes = 1_000_000;

const headers = { 'cache-control': 'no-store' };

/** Returns the response with a body as JSON. */
export const bodyResponse = (body: unknown, status: number): Response =>
  Response.json(body, { status, headers });

/** Does the same for a query that has read `bytes`: other requests run while a large body is written. */
export async function bodyResponseOf(body: object, status: number, bytes: number): Promise<Response> {
  if (bytes <= largeBytes) return bodyResponse(body, status);
  const yielder = createYielder();
  const fields: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const isList = Array.isArray(value);
    const items: string[] = [];
    for (const item of isList ? value : [value]) {
      items.push(JSON.stringify(item) ?? 'null');
      if (yielder.shouldYield()) await yielder.yieldToEventLoop();
    }
    fields.push(`${JSON.stringify(name)}:${isList ? `[${items.join(',')}]` : items.join()}`);
  }
  const text = `{${fields.join(',')}}`;
  return new Response(text, { status, headers: { ...headers, 'content-type': 'application/json' } });
}
