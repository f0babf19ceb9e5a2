// The cases of the Inbox API, for platform.contract.ts. Members call it, each with a personal token.
import type { PlatformContractFixture } from './fixture.contract.ts';
import { inboxAccessContract } from './inbox-access.contract.ts';
import { inboxConversationsContract } from './inbox-conversations.contract.ts';
import { createInboxFixture } from './inbox-fixture.contract.ts';
import { inboxListsContract } from './inbox-lists.contract.ts';
import { inboxNotesContract } from './inbox-notes.contract.ts';
import { inboxRepliesContract } from './inbox-replies.contract.ts';
import { inboxSettingsContract } from './inbox-settings.contract.ts';
import { inboxTeamContract } from './inbox-team.contract.ts';

export function inboxContract(given: PlatformContractFixture): void {
  const fixture = createInboxFixture(given);
  inboxConversationsContract(fixture);
  inboxRepliesContract(fixture);
  inboxNotesContract(fixture);
  inboxListsContract(fixture);
  inboxAccessContract(fixture);
  inboxSettingsContract(fixture);
  inboxTeamContract(fixture);
}
