// Pages of the visitors of a workspace, by their last activity.
import type { InboxVisitor } from '../../protocol/inbox.ts';
import { fold } from '../../protocol/locale/folding.ts';
import { timestamp } from '../api/serializers.ts';
import { nextTurn } from '../api/yielder.ts';
import type { Tx } from '../storage/database.ts';
import type { InboxKey } from '../storage/inbox/lists.ts';
import type { Viewer } from '../storage/inbox/visibility.ts';
import { listVisitors, type VisitorRecord } from '../storage/inbox/visitors.ts';

/** A page of the visitors whose name or profile has a text, and the key after which the next one begins; undefined at the end. */
export async function readVisitors(
  tx: Tx,
  viewer: Viewer,
  text: string | undefined,
  after: InboxKey | undefined,
  size: number,
): Promise<{ visitors: InboxVisitor[]; next: InboxKey | undefined }> {
  const wanted = fold(text ?? '').trim();
  const visitors: InboxVisitor[] = [];
  let key: InboxKey | undefined;
  for await (const { records, next } of listVisitors(tx, viewer, after)) {
    for (const [index, record] of records.entries()) {
      if (!fold(`${record.name ?? ''} ${record.profile ?? ''}`).includes(wanted)) continue;
      visitors.push(serialize(record));
      if (visitors.length < size) continue;
      const isLast = next === undefined && index === records.length - 1;
      return { visitors, next: isLast ? undefined : [record.updatedAt, record.conversationId] };
    }
    key = next;
    await nextTurn();
  }
  return { visitors, next: key };
}

function serialize({
  id,
  name,
  profile,
  conversationId,
  updatedAt,
  conversationCount,
}: VisitorRecord): InboxVisitor {
  const email = emailIn(profile);
  return {
    id,
    ...(name === null ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    lastActivityAt: timestamp(updatedAt),
    conversationCount,
    lastConversationId: conversationId,
  };
}

/** The field `email` of a profile, which is JSON if the site chooses so. */
function emailIn(profile: string | null): string | undefined {
  try {
    const { email } = Object(JSON.parse(profile ?? '')) as { email?: unknown };
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
}
