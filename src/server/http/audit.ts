// The audit trail: decides which requests are recorded, and records them. Called by the pipeline for every operation.
import type { Logger } from 'pino';
import { hasBody } from '../../protocol/operations/operation.ts';
import { isMember, type Principal } from '../api/caller.ts';
import { ApiError, isStorageFull } from '../api/errors.ts';
import type { Handler, Outcome } from '../api/handler.ts';
import { beginningOf } from '../api/message-text.ts';
import { CallerRefused } from '../auth/identify.ts';
import { isKnownToken } from '../auth/tokens.ts';
import { createBuckets } from '../limits/token-buckets.ts';
import { type AuditRow, insertAuditEntry } from '../storage/admin/audit.ts';
import { findWorkspace } from '../storage/admin/workspaces.ts';
import { type Database, DatabaseUnavailable, type Tx, type WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import type { Services } from './apis.ts';

/**
 * Rejected requests that are recorded per minute, for one member or token and for one network. Successful requests are
 * always recorded.
 */
export const refusalsPerMinute = 60;

/** A request as far as it has been read. */
export interface AuditedRequest {
  handler: Handler<Services>;
  headers: Headers;
  params: Record<string, string>;
  /** The client network (client-address.ts). */
  network: string;
  /** Undefined until the caller is known, and for operations that need no token. */
  principal?: Principal | undefined;
  /** The query or the body; undefined until it has been validated. */
  input?: unknown;
}

export interface AuditTrail {
  /** True when this request is recorded if it succeeds. */
  covers(request: AuditedRequest): boolean;
  /**
   * Prepares the record before the handler runs, in the same transaction, so that deleted resources can still be named.
   * The result writes the record after the handler has run.
   */
  begin(tx: WriteTx, request: AuditedRequest): Promise<(outcome: Pick<Outcome, 'resource'>) => Promise<void>>;
  /** Records a request that failed, in a transaction of its own. Never throws. */
  refused(request: AuditedRequest, error: unknown): Promise<void>;
}

export interface AuditOptions {
  db: Database;
  logger: Logger;
  now(): number;
  /** A monotonic clock in milliseconds. */
  elapsed?: (() => number) | undefined;
}

export function createAuditTrail({ db, logger, now, elapsed }: AuditOptions): AuditTrail {
  const refusals = createBuckets(refusalsPerMinute, elapsed ?? (() => performance.now()));

  return {
    covers: ({ principal, ...request }) => principal !== undefined && isRecorded(request, principal),
    async begin(tx, request) {
      const { principal, handler } = request;
      if (!principal) return async () => {};
      const entry = await entryOf(tx, request, principal, now());
      return async ({ resource }) => {
        const made = resource === undefined ? {} : { resource: shortened(resource) };
        const target = JSON.stringify({ ...entry.target, ...made });
        await insertAuditEntry(tx, { ...entry, target, status: handler.operation.status });
      };
    },
    async refused(request, error) {
      const principal = error instanceof CallerRefused ? error.principal : request.principal;
      if (!principal || !isRecorded(request, principal)) return;
      // Nothing can be recorded.
      if (error instanceof DatabaseUnavailable) return;
      const actor = refusals.take(`actor ${principal.memberId ?? principal.credentialId}`);
      // Per workspace, so that a member of one workspace cannot keep rejected requests of another one out of its trail.
      const network = refusals.take(`network ${principal.workspaceId} ${request.network}`);
      if (!actor.isAllowed || !network.isAllowed) return;
      const status = error instanceof ApiError ? error.code : isStorageFull(error) ? 503 : 500;
      try {
        await db.write(async (tx) => {
          const entry = await entryOf(tx, request, principal, now());
          await insertAuditEntry(tx, { ...entry, target: JSON.stringify(entry.target), status });
        });
      } catch (failure) {
        if (isStorageFull(failure) || failure instanceof DatabaseUnavailable) return;
        // The caller receives its error nevertheless.
        logger.error({ err: failure }, 'recording a refusal failed');
      }
    },
  };
}

/**
 * Returns whether a request is recorded: all writes of the Admin API, deletions by members in the APIs of a bot,
 * requests that the handler of the operation declares, and all requests of an operator in another workspace, including
 * reads.
 */
function isRecorded(request: AuditedRequest, principal: Principal): boolean {
  const { handler } = request;
  const { operation } = handler;
  const workspaceId = auditedWorkspace(request) ?? principal.workspaceId;
  if (principal.kind === 'operator' && workspaceId !== principal.homeWorkspaceId) return true;
  if (handler.audit) return handler.audit(principal);
  if (operation.kind !== 'mutation') return false;
  return operation.auth === 'bot' ? operation.method === 'DELETE' && isMember(principal) : true;
}

/** The workspace that an operator can name in the path or the query. */
const auditedWorkspace = ({ handler, params, input }: AuditedRequest): string | undefined =>
  handler.auditWorkspace?.({ params, input });

type Entry = Omit<AuditRow, 'status' | 'target'> & { target: Record<string, string> };

async function entryOf(tx: Tx, request: AuditedRequest, principal: Principal, now: number): Promise<Entry> {
  const { kind, tokenId = null, session, memberId = null, email = null, homeWorkspaceId } = principal;
  const workspaceId = await workspaceOf(tx, request, principal);
  return {
    id: createId('audit', now),
    workspaceId,
    at: now,
    actorKind: kind,
    tokenId,
    sessionId: session?.id ?? null,
    memberId,
    actorEmail: email,
    homeId: homeWorkspaceId === workspaceId ? null : homeWorkspaceId,
    operation: request.handler.operation.id,
    target: await targetOf(tx, request, principal),
    network: request.network,
  };
}

/**
 * Returns the workspace that a request is about: the one that an operator names in the path or the query, if it exists.
 */
async function workspaceOf(
  tx: Tx,
  request: AuditedRequest,
  { kind, workspaceId }: Principal,
): Promise<string> {
  const named = kind === 'operator' ? auditedWorkspace(request) : undefined;
  return named !== undefined && (await findWorkspace(tx, named)) ? named : workspaceId;
}

/** Fields of a body that are recorded: ids, and the permissions of a member or a token. */
const recordedField = /^(id|ids|role|kind)$|Ids?$/;
const maxFields = 12;
const maxLength = 100;
/** Tokens, secrets of webhooks, user keys (JWT): a caller may have sent one instead of an id. */
const secretPattern = /(pat|bat|iat|whsec)_[\w+/-]{20}|eyJ[\w-]+\.[\w-]+/;

/**
 * Returns the target of a request: path parameters, ids in the body, and the bot or workspace in the headers. No
 * contents.
 */
async function targetOf(
  tx: Tx,
  { handler: { operation }, params, headers, input }: AuditedRequest,
  principal: Principal,
): Promise<Record<string, string>> {
  const fieldsOfBody = Object.entries(hasBody(operation) ? (input ?? {}) : {}).filter(([name]) =>
    recordedField.test(name),
  );
  const scope: [string, unknown][] = [];
  if (operation.auth === 'bot') scope.push(['botId', headers.get('x-bot-id')]);
  const workspaceId = headers.get('x-workspace-id');
  if (operation.auth === 'workspace' && workspaceId !== principal.workspaceId)
    scope.push(['workspaceId', workspaceId]);
  const target: Record<string, string> = {};
  for (const [name, value] of [...fieldsOfBody, ...scope, ...Object.entries(params)].slice(-maxFields)) {
    const text = textOf(value);
    if (text === undefined) continue;
    const isSecret = secretPattern.test(text) || (await isKnownToken(tx, text));
    target[name] = isSecret ? '[secret]' : shortened(text);
  }
  return target;
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.slice(0, 20).map(textOf).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const shortened = (text: string): string =>
  text.length > maxLength ? `${beginningOf(text, maxLength)}…` : text;
