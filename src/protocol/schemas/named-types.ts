// The schemas whose types have a name, by module. `npm run generate` writes the types of each to a module of the same name
// in src/protocol/types; the typed client and the OpenAPI document use the names.

import { types as adminAgents } from './admin/agents.ts';
import { types as adminAudit } from './admin/audit.ts';
import { types as adminBotLogs } from './admin/bot-logs.ts';
import { types as adminDeployment } from './admin/deployment.ts';
import { types as adminVisitors } from './admin/visitors.ts';
import { types as admin } from './admin.ts';
import { types as bots } from './bots.ts';
import { types as chatConversations } from './chat/conversations.ts';
import { types as chatFiles } from './chat/files.ts';
import { types as chatMessages } from './chat/messages.ts';
import { types as chatUsers } from './chat/users.ts';
import { types as chatWebchat } from './chat/webchat.ts';
import { types as client } from './client.ts';
import { types as contact } from './contact.ts';
import { types as error } from './error.ts';
import { types as files } from './files.ts';
import { types as handling } from './handling.ts';
import { types as inboxOpeningHours } from './inbox/opening-hours.ts';
import { types as inboxReport } from './inbox/report.ts';
import { types as inboxTeams } from './inbox/teams.ts';
import { types as inbox } from './inbox.ts';
import { types as interrupts } from './interrupts.ts';
import { types as parts } from './parts.ts';
import { types as query } from './query.ts';
import { types as runtime } from './runtime.ts';
import { types as session } from './session.ts';
import { types as tables } from './tables.ts';
import { types as tagFilter } from './tag-filter.ts';
import { types as visitorsPreChatForm } from './visitors/pre-chat-form.ts';

export const namedTypes = {
  admin: admin,
  'admin/agents': adminAgents,
  'admin/audit': adminAudit,
  'admin/bot-logs': adminBotLogs,
  'admin/deployment': adminDeployment,
  'admin/visitors': adminVisitors,
  bots: bots,
  'chat/conversations': chatConversations,
  'chat/files': chatFiles,
  'chat/messages': chatMessages,
  'chat/users': chatUsers,
  'chat/webchat': chatWebchat,
  client: client,
  contact: contact,
  error: error,
  files: files,
  handling: handling,
  inbox: inbox,
  'inbox/opening-hours': inboxOpeningHours,
  'inbox/report': inboxReport,
  'inbox/teams': inboxTeams,
  interrupts: interrupts,
  parts: parts,
  query: query,
  runtime: runtime,
  session: session,
  tables: tables,
  'tag-filter': tagFilter,
  'visitors/pre-chat-form': visitorsPreChatForm,
};
