// The schemas whose types have a name in src/protocol: name and module. The generator prints the name instead.
import type * as v from 'valibot';
import { adminComponents } from '../../protocol/schemas/admin.ts';
import { botSchemas } from '../../protocol/schemas/bots.ts';
import { components, schemas } from '../../protocol/schemas/chat.ts';
import { fileSchemas } from '../../protocol/schemas/files.ts';
import { inboxComponents } from '../../protocol/schemas/inbox.ts';
import { interruptSchemas } from '../../protocol/schemas/interrupts.ts';
import { partSchemas } from '../../protocol/schemas/parts.ts';
import { runtimeSchemas } from '../../protocol/schemas/runtime.ts';
import { sessionComponents } from '../../protocol/schemas/session.ts';
import { tableSchemas } from '../../protocol/schemas/tables.ts';
import { tagFilter } from '../../protocol/schemas/tag-filter.ts';

type Names = Record<string, v.GenericSchema>;

/** Module -> type -> schema. */
const modules: Record<string, Names> = {
  user: { User: components.User, UserFields: schemas.userFields },
  conversation: {
    Conversation: components.Conversation,
    ListedConversation: components.ListedConversation,
    Invitation: components.Invitation,
  },
  event: { Event: components.Event },
  message: { Message: components.Message, Payload: components.Payload, Feedback: components.Feedback },
  parts: { InterruptPart: components.InterruptPart, PartChange: partSchemas.partChange },
  'interrupts/interrupt': { NewInterrupt: interruptSchemas.newInterrupt },
  'handling/handling': {
    Person: components.Person,
    Handling: components.Handling,
    Activity: components.Activity,
    Handoff: components.Handoff,
    ReadMark: components.ReadMark,
  },
  'handling/rating': { Rating: components.Rating },
  webchat: { Webchat: components.Webchat },
  'handling/inbox': {
    InboxRow: inboxComponents.InboxRow,
    Note: inboxComponents.Note,
    InboxCounts: inboxComponents.InboxCounts,
    CannedAnswer: inboxComponents.CannedAnswer,
  },
  'handling/opening-hours': { OpeningHours: inboxComponents.OpeningHours },
  'handling/report': { Report: inboxComponents.Report },
  'handling/team': { Team: inboxComponents.Team, InboxMember: inboxComponents.InboxMember },
  attachment: { FileFields: schemas.fileFields, NewFile: components.NewFile },
  page: { PageMeta: schemas.meta },
  'page-api/config': { Configuration: schemas.configuration },
  'admin/admin': {
    Bot: components.Bot,
    Deployment: adminComponents.Deployment,
    Workspace: adminComponents.Workspace,
    Member: adminComponents.Member,
    Account: adminComponents.Account,
    ApiKey: adminComponents.ApiKey,
    Token: adminComponents.Token,
    CurrentToken: adminComponents.CurrentToken,
  },
  'admin/bot-definition': { BotDetails: botSchemas.details },
  'admin/session': {
    Session: sessionComponents.Session,
    SignedIn: sessionComponents.SignedIn,
    SignInOptions: sessionComponents.SignInOptions,
  },
  'admin/audit': { AuditEntry: adminComponents.AuditEntry },
  runtime: {
    RuntimeConversation: runtimeSchemas.conversation,
    RuntimeUser: runtimeSchemas.user,
    RuntimeMessage: runtimeSchemas.message,
    RuntimeEvent: runtimeSchemas.event,
    RuntimeState: runtimeSchemas.state,
    RuntimeStream: runtimeSchemas.stream,
    StreamPosition: runtimeSchemas.position,
  },
  file: {
    PlatformFile: fileSchemas.platformFile,
    PlatformFileFields: fileSchemas.fields,
    PlatformFileChanges: fileSchemas.changes,
    AnnouncedFile: fileSchemas.announcedFile,
    FilePassage: fileSchemas.passage,
    FoundPassage: fileSchemas.foundPassage,
    FileStorage: fileSchemas.storage,
    KnowledgeBase: fileSchemas.knowledgeBase,
    TagFilter: tagFilter,
  },
  table: {
    Table: tableSchemas.table,
    TableFields: tableSchemas.newTable,
    TableChanges: tableSchemas.tableChanges,
    Row: tableSchemas.row,
    FoundRow: tableSchemas.foundRow,
    RowQuery: tableSchemas.rowQuery,
    TableJob: tableSchemas.job,
    StartedJob: tableSchemas.startedJob,
  },
};

export const typeNames = new Map<v.GenericSchema, readonly [name: string, module: string]>(
  Object.entries(modules).flatMap(([module, names]) =>
    Object.entries(names).map(([name, schema]) => [schema, [name, module]] as const),
  ),
);
typeNames.set(schemas.storedConfiguration, ['Configuration', 'page-api/config']);
