// The audit trail: decides which requests are recorded, and records them. Called by the pipeline for every operation.
import type { Logger } from 'pino';
import { hasBody } from '../../protocol/operations/operation.ts';
import { ApiError } from '../api/errors.ts';
import { CallerRefused } from '../auth/identify.ts';
import { isMember, type Principal } from '../auth/principal.ts';
import { isKnownToken } from '../auth/tokens.ts';
import { createBuckets } from '../limits/token-buckets.ts';
import type { Handler, Outcome } from '../operations/handler.ts';
import { type AuditRow, insertAuditEntry } from '../storage/admin/audit.ts';
import { findWorkspace } from '../storage/admin/workspaces.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import type { Services } from './apis.ts';

/** Refusals that are recorded in a minute, of one member or token and of one network. Successes are always recorded. */
export const refusalsPerMinute = 60;

/** A request, as far as it has been read. */
export interface AuditedRequest {
  handler: Handler<Services>;
  headers: Headers;
  params: Record<string, string>;
  /** Where it comes from, as `client-address.ts` names it. */
  network: string;
  /** Undefined until the caller is known, and of operations that need no token. */
  principal?: Principal | undefined;
  /** Query or body; undefined until it was checked. */
  input?: unknown;
}

export interface AuditTrail {
  /** True when this request is recorded if it succeeds. */
  covers(request: AuditedRequest): boolean;
  /**
   * Prepares the record in the transaction of the work, before the work: what is deleted can still be named. The result
   * writes it, after the work.
   */
  begin(tx: WriteTx, request: AuditedRequest): Promise<(outcome: Pick<Outcome, 'resource'>) => Promise<void>>;
  /** Records a request that failed, in a transaction of its own. Never throws. */
  refused(request: AuditedRequest, error: unknown): Promise<void>;
}

export interface AuditOptions {
  db: Database;
  logger: Logger;
  now(): number;
  /** Milliseconds of a clock that never goes back. */
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
      const actor = refusals.take(`actor ${principal.memberId ?? principal.tokenId}`);
      // Of each workspace, so that a member of one cannot keep the refusals of another out of its trail.
      const network = refusals.take(`network ${principal.workspaceId} ${request.network}`);
      if (!actor.isAllowed || !network.isAllowed) return;
      const status = error instanceof ApiError ? error.code : 500;
      try {
        await db.write(async (tx) => {
          const entry = await entryOf(tx, request, principal, now());
          await insertAuditEntry(tx, { ...entry, target: JSON.stringify(entry.target), status });
        });
      } catch (failure) {
        // The caller gets the refusal all the same.
        logger.error({ err: failure }, 'recording a refusal failed');
      }
    },
  };
}

/**
 * The rule. Recorded are all writes of the Admin API; of the APIs of a bot what members delete; what an operation
 * declares beside; and all that an operator does in a workspace of others, reading included.
 */
function isRecorded(request: AuditedRequest, principal: Principal): boolean {
  const { handler } = request;
  const { operation } = handler;
  const about = auditedWorkspace(request) ?? principal.workspaceId;
  if (principal.kind === 'operator' && about !== principal.homeWorkspaceId) return true;
  if (handler.audit) return handler.audit(principal);
  if (operation.kind !== 'mutation') return false;
  return operation.auth === 'bot' ? operation.method === 'DELETE' && isMember(principal) : true;
}

/** The workspace that an operator may have named in the path or the query. */
const auditedWorkspace = ({ handler, params, input }: AuditedRequest): string | undefined =>
  // Checked by the declaration, where it is there.
  handler.auditWorkspace?.({ params, input: input as never });

type Entry = Omit<AuditRow, 'status' | 'target'> & { target: Record<string, string> };

async function entryOf(tx: Tx, request: AuditedRequest, principal: Principal, now: number): Promise<Entry> {
  const { kind, tokenId, memberId = null, email = null, homeWorkspaceId } = principal;
  const workspaceId = await workspaceOf(tx, request, principal);
  return {
    id: createId('audit', now),
    workspaceId,
    at: now,
    actorKind: kind,
    tokenId,
    memberId,
    actorEmail: email,
    homeId: homeWorkspaceId === workspaceId ? null : homeWorkspaceId,
    operation: request.handler.operation.id,
    target: await targetOf(tx, request, principal),
    network: request.network,
  };
}

/** The workspace that a request is about: the one that an operator names in the path or the query, if it is there. */
async function workspaceOf(
  tx: Tx,
  request: AuditedRequest,
  { kind, workspaceId }: Principal,
): Promise<string> {
  const named = kind === 'operator' ? auditedWorkspace(request) : undefined;
  return named !== undefined && (await findWorkspace(tx, named)) ? named : workspaceId;
}

/** Fields of a body that are recorded: ids, and the two words that tell what a member or a token may do. */
const recordedField = /^(id|ids|role|kind)$|Ids?$/;
const maxFields = 12;
const maxLength = 100;
/** Tokens, secrets of webhooks, user keys (JWT): somebody may have put one where an id belongs. */
const secretPattern = /(pat|bat|iat|whsec)_[\w+/-]{20}|eyJ[\w-]+\.[\w-]+/;

/** What was acted upon: path parameters, ids of the body, and the place that the headers name. No contents. */
async function targetOf(
  tx: Tx,
  { handler: { operation }, params, headers, input }: AuditedRequest,
  principal: Principal,
): Promise<Record<string, string>> {
  const given = Object.entries(hasBody(operation) ? (input ?? {}) : {}).filter(([name]) =>
    recordedField.test(name),
  );
  const place: [string, unknown][] = [];
  if (operation.auth === 'bot') place.push(['botId', headers.get('x-bot-id')]);
  const asked = headers.get('x-workspace-id');
  if (operation.auth === 'workspace' && asked !== principal.workspaceId) place.push(['workspaceId', asked]);
  const target: Record<string, string> = {};
  for (const [name, value] of [...given, ...place, ...Object.entries(params)].slice(-maxFields)) {
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

const shortened = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
