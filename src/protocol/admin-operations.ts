// The words of the Admin API: every operation with its method, path, input and output. No behaviour.
import type { Bot } from './admin.ts';
import type { Configuration } from './config.ts';
import type { Route } from './operations.ts';
import type { Page } from './page.ts';

type Id = { id: string };

/** Input (path parameters, then body or query) and output of every operation. */
export interface AdminOperations {
  /** Lists the bots of the workspace, newest first. */
  listBots: [{ nextToken?: string; pageSize?: number }, Page<'bots', Bot>];
  /** Gives a bot of the workspace. */
  getBot: [Id, { bot: Bot }];
  /** Gives the stored dashboard configuration of a bot. */
  getBotWebchat: [Id, { configuration: Configuration }];
  /** Replaces the stored dashboard configuration. Blank fields are left out; a wrong one refuses all. */
  setBotWebchat: [Id & { configuration: Configuration }, { configuration: Configuration }];
  /** Gives the HTML that puts the bot's chat on a page. */
  getBotSnippet: [Id, { snippet: string }];
}

/** Method and path of every operation. */
export const adminOperations = {
  listBots: 'GET /v1/admin/bots',
  getBot: 'GET /v1/admin/bots/{id}',
  getBotWebchat: 'GET /v1/admin/bots/{id}/webchat',
  setBotWebchat: 'PUT /v1/admin/bots/{id}/webchat',
  getBotSnippet: 'GET /v1/admin/bots/{id}/snippet',
} as const satisfies Record<keyof AdminOperations, Route>;
