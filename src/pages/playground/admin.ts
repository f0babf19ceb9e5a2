// A client of the Admin API for bots, their configuration and the audit trail, with error messages for users.
import type { Configuration } from '../../protocol/page-api/config.ts';
import type { AuditEntry } from '../../protocol/types/admin.ts';
import type { SignedIn } from '../../protocol/types/session.ts';

export interface Credentials {
  workspaceId: string;
  token: string;
}

export interface Bot {
  id: string;
  name: string;
}

export interface AdminClient {
  listBots(): Promise<Bot[]>;
  /** The last part of the address of a bot's chat. */
  webhookIdOf(botId: string): Promise<string>;
  load(botId: string): Promise<Configuration>;
  save(botId: string, configuration: Configuration): Promise<Configuration>;
  /** One page of the audit trail of the workspace, newest entries first. */
  listAuditLog(query: AuditQuery): Promise<{ entries: AuditEntry[]; nextToken?: string | undefined }>;
}

/** The filters and the page of the audit trail. */
export interface AuditQuery {
  actor?: string;
  operation?: string;
  nextToken?: string;
}

interface ResponseBody {
  bots?: Bot[];
  entries?: AuditEntry[];
  meta?: { nextToken?: string };
  configuration?: Configuration;
  deployment?: { webhookId: string };
  message?: string;
}

/** Returns the member who has signed in at the server at `base` in this browser; undefined if nobody has, or it cannot be reached. */
export async function readSession(base: string, fetcher = fetch): Promise<SignedIn | undefined> {
  const response = await fetcher(`${base}v1/session`, { cache: 'no-store' }).catch(() => undefined);
  return response?.ok ? response.json().catch(() => undefined) : undefined;
}

/**
 * A client of the Admin API of the server at `base` (an address ending in `/`). Without credentials, its requests are those of
 * the member who has signed in.
 */
export function createAdminClient(
  base: string,
  credentials: Credentials | undefined,
  fetcher = fetch,
): AdminClient {
  async function request(path: string, body?: object): Promise<ResponseBody> {
    // An invalid header value would fail like a network error.
    const texts = Object.values(credentials ?? {});
    if (!texts.every((text) => /^[\x21-\x7e]+$/.test(text))) {
      throw new Error('Enter the workspace id and the token as the server printed them.');
    }
    const response = await fetcher(`${base}v1/admin${path}`, {
      method: body ? 'PUT' : 'GET',
      headers: {
        ...(credentials && {
          authorization: `Bearer ${credentials.token}`,
          'x-workspace-id': credentials.workspaceId,
        }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error('The server cannot be reached. Nothing was changed; try again.');
    });
    const responseBody = (await response.json().catch(() => ({}))) as ResponseBody;
    if (response.ok) return responseBody;
    throw new Error(
      (credentials ? errorTexts : sessionErrorTexts)[response.status] ??
        `The server rejected the request (${response.status}): ${responseBody.message ?? 'no reason given.'}`,
    );
  }
  const pathOf = (botId: string, resource = 'webchat') => `/bots/${encodeURIComponent(botId)}/${resource}`;

  return {
    async listBots() {
      const bots: Bot[] = [];
      let query = '';
      do {
        const { bots: page = [], meta } = await request(`/bots${query}`);
        bots.push(...page);
        query = meta?.nextToken ? `?nextToken=${encodeURIComponent(meta.nextToken)}` : '';
      } while (query);
      return bots;
    },
    webhookIdOf: async (botId) => (await request(pathOf(botId, 'deployment'))).deployment?.webhookId ?? '',
    async listAuditLog(query) {
      const { entries = [], meta } = await request(`/audit?${new URLSearchParams({ ...query })}`);
      return { entries, nextToken: meta?.nextToken };
    },
    load: async (botId) => (await request(pathOf(botId))).configuration ?? {},
    save: async (botId, configuration) =>
      (await request(pathOf(botId), { configuration })).configuration ?? {},
  };
}

const errorTexts: Record<number, string> = {
  401: 'The server rejected the workspace id or the token (401).',
  403: 'This token does not have the required permission (403).',
  404: 'The bot or the Admin API does not exist (404).',
};

const sessionErrorTexts: Record<number, string> = {
  ...errorTexts,
  401: 'The session has ended (401): sign in again.',
  403: 'Your role does not have the required permission (403).',
};
