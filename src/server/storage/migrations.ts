// The schema as numbered steps. A released step must never be edited, because data folders of version 0.1 must open:
// add a new step (migrations.test.ts).
// Why not `umzug`: the server migrates by itself, in one transaction for each step (decision 28).

import { admin } from './migrations/admin.ts';
import { adminFields } from './migrations/admin-fields.ts';
import { audit } from './migrations/audit.ts';
import { agents } from './migrations/bots/agents.ts';
import { botIds } from './migrations/bots/bot-ids.ts';
import { botStreams } from './migrations/bots/bot-streams.ts';
import { deliveryLeases } from './migrations/bots/delivery-leases.ts';
import { freeDeliveries } from './migrations/bots/free-deliveries.ts';
import { interruptClaims } from './migrations/bots/interrupt-claims.ts';
import { interrupts } from './migrations/bots/interrupts.ts';
import { messageParts } from './migrations/bots/message-parts.ts';
import { retention } from './migrations/bots/retention.ts';
import { supersededMessages } from './migrations/bots/superseded-messages.ts';
import { conversationPeriods } from './migrations/cluster/conversation-periods.ts';
import { databaseRun } from './migrations/cluster/database-run.ts';
import { openStreams } from './migrations/cluster/open-streams.ts';
import { processes } from './migrations/cluster/processes.ts';
import { sharedLimits } from './migrations/cluster/shared-limits.ts';
import { computed } from './migrations/computed.ts';
import { configurationFiles } from './migrations/configuration-files.ts';
import { configurations } from './migrations/configurations.ts';
import { deletion } from './migrations/deletion.ts';
import { deletionQueue } from './migrations/deletion-queue.ts';
import { embeddings } from './migrations/files/embeddings.ts';
import { fileWarnings } from './migrations/files/file-warnings.ts';
import { platformFiles } from './migrations/files/files.ts';
import { indexingQueue } from './migrations/files/indexing-queue.ts';
import { knowledgeResults } from './migrations/files/knowledge-results.ts';
import { searchWords } from './migrations/files/search-words.ts';
import { uploads } from './migrations/files/uploads.ts';
import { feedbackAndFiles } from './migrations/first/feedback-and-files.ts';
import { firstSchema } from './migrations/first/schema.ts';
import { workspaces } from './migrations/first/workspaces.ts';
import { contacts } from './migrations/inbox/contacts.ts';
import { handoffs } from './migrations/inbox/handoffs.ts';
import { noteContents } from './migrations/inbox/note-contents.ts';
import { inboxSettings } from './migrations/inbox/opening-hours.ts';
import { preChatForms } from './migrations/inbox/pre-chat-forms.ts';
import { pushes } from './migrations/inbox/pushes.ts';
import { ratings } from './migrations/inbox/ratings.ts';
import { reads } from './migrations/inbox/reads.ts';
import { reportRows } from './migrations/inbox/reports.ts';
import { inboxSearch } from './migrations/inbox/search.ts';
import { seenMentions } from './migrations/inbox/seen-mentions.ts';
import { inboxTeams } from './migrations/inbox/teams.ts';
import { invitations } from './migrations/invitations.ts';
import { jobQueue } from './migrations/job-queue.ts';
import { limitedKeys } from './migrations/members/limited-keys.ts';
import { signIn } from './migrations/members/sign-in.ts';
import { operator } from './migrations/operator.ts';
import { requests } from './migrations/requests.ts';
import { runtime } from './migrations/runtime.ts';
import { severalBots } from './migrations/several-bots.ts';
import { rowVectors } from './migrations/tables/row-vectors.ts';
import { tablesSql } from './migrations/tables.ts';
import { usage } from './migrations/usage.ts';
import { userKeys } from './migrations/user-keys.ts';
import { visitorLocale } from './migrations/visitor-locale.ts';
import { webhookFormat } from './migrations/webhook-format.ts';
import { webhooks } from './migrations/webhooks.ts';

/** Step n upgrades a database from version n to n + 1. */
export const migrations: readonly string[] = [
  firstSchema,
  feedbackAndFiles,
  workspaces,
  severalBots,
  platformFiles,
  tablesSql,
  admin,
  webhooks,
  requests,
  operator,
  deletion,
  usage,
  audit,
  invitations,
  configurations,
  userKeys,
  indexingQueue,
  deletionQueue,
  jobQueue,
  visitorLocale,
  adminFields,
  runtime,
  embeddings,
  computed,
  configurationFiles,
  rowVectors,
  knowledgeResults,
  uploads,
  webhookFormat,
  processes,
  deliveryLeases,
  sharedLimits,
  botStreams,
  openStreams,
  messageParts,
  supersededMessages,
  agents,
  interrupts,
  databaseRun,
  interruptClaims,
  signIn,
  handoffs,
  ratings,
  reads,
  contacts,
  inboxSearch,
  inboxSettings,
  inboxTeams,
  pushes,
  retention,
  reportRows,
  preChatForms,
  noteContents,
  seenMentions,
  fileWarnings,
  freeDeliveries,
  conversationPeriods,
  searchWords,
  limitedKeys,
  botIds,
];
