// The APIs of the server with their handlers, and the services that these need.
import { type Api, apis as declared } from '../../protocol/operations/apis.ts';
import { type AdminServices, adminHandlers } from '../admin/index.ts';
import type { Handler } from '../api/handler.ts';
import { type ChatServices, chatHandlers } from '../chat/index.ts';
import { type FilesServices, filesHandlers } from '../files/index.ts';
import { type InboxServices, inboxHandlers } from '../inbox/index.ts';
import { type RuntimeServices, runtimeHandlers } from '../runtime/index.ts';
import { type SessionServices, sessionHandlers } from '../session/index.ts';
import { type TablesServices, tablesHandlers } from '../tables/index.ts';

/** The services that the handlers of all APIs use. */
export type Services = ChatServices &
  RuntimeServices &
  AdminServices &
  SessionServices &
  FilesServices &
  TablesServices &
  InboxServices;

const handlers: Record<Api['name'], readonly Handler<Services>[]> = {
  chat: chatHandlers,
  runtime: runtimeHandlers,
  admin: adminHandlers,
  session: sessionHandlers,
  files: filesHandlers,
  tables: tablesHandlers,
  inbox: inboxHandlers,
};

export interface ServedApi extends Api {
  handlers: readonly Handler<Services>[];
}

export const apis: readonly ServedApi[] = declared.map((api) => ({ ...api, handlers: handlers[api.name] }));
