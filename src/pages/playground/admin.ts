// Speaks the Admin API: bots, their dashboard configuration, the audit trail. Errors come in words for people.
import type { AuditEntry } from '../../protocol/audit.ts';
import type { Configuration } from '../../protocol/config.ts';

export interface Credentials {
  workspaceId: string;
  token: string;
}

export interface Bot {
  id: string;
  name: string;
}

export interface Admin {
  listBots(): Promise<Bot[]>;
  /** The last part of the address of a bot's chat. */
  place(botId: string): Promise<string>;
  load(botId: string): Promise<Configuration>;
  save(botId: string, configuration: Configuration): Promise<Configuration>;
  /** One page of the audit trail of the workspace, newest entries first. */
  listAuditLog(query: AuditQuery): Promise<{ entries: AuditEntry[]; nextToken?: string | undefined }>;
}

/** What a page of the audit trail is narrowed to. */
export interface AuditQuery {
  actor?: string;
  operation?: string;
  nextToken?: string;
}

interface Answer {
  bots?: Bot[];
  entries?: AuditEntry[];
  meta?: { nextToken?: string };
  configuration?: Configuration;
  deployment?: { webhookId: string };
  message?: string;
}

/** The Admin API of the platform at `base` (an address ending in `/`). */
export function createAdmin(base: string, { workspaceId, token }: Credentials, fetcher = fetch): Admin {
  async function ask(path: string, body?: object): Promise<Answer> {
    // What is no header value would fail like a network that is down.
    if (![workspaceId, token].every((text) => /^[\x21-\x7e]+$/.test(text))) {
      throw new Error('Give the workspace id and the token, as the server printed them.');
    }
    const response = await fetcher(`${base}v1/admin${path}`, {
      method: body ? 'PUT' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error('The server cannot be reached. Nothing was changed here; try again.');
    });
    const answer = (await response.json().catch(() => ({}))) as Answer;
    if (response.ok) return answer;
    throw new Error(
      refusals[response.status] ??
        `The server refused (${response.status}): ${answer.message ?? 'no reason given.'}`,
    );
  }
  const pathOf = (botId: string, what = 'webchat') => `/bots/${encodeURIComponent(botId)}/${what}`;

  return {
    async listBots() {
      const bots: Bot[] = [];
      let query = '';
      do {
        const { bots: found = [], meta } = await ask(`/bots${query}`);
        bots.push(...found);
        query = meta?.nextToken ? `?nextToken=${encodeURIComponent(meta.nextToken)}` : '';
      } while (query);
      return bots;
    },
    place: async (botId) => (await ask(pathOf(botId, 'deployment'))).deployment?.webhookId ?? '',
    async listAuditLog(query) {
      const { entries = [], meta } = await ask(`/audit?${new URLSearchParams({ ...query })}`);
      return { entries, nextToken: meta?.nextToken };
    },
    load: async (botId) => (await ask(pathOf(botId))).configuration ?? {},
    save: async (botId, configuration) => (await ask(pathOf(botId), { configuration })).configuration ?? {},
  };
}

const refusals: Record<number, string> = {
  401: 'The server refused the workspace id or the token (401).',
  403: 'This token may not do that (403).',
  404: 'The server has no such bot, or no Admin API (404).',
};
