// The names of locks and their order, which all database engines share.

/**
 * The kinds of named locks, in the order in which one work takes them; several of a kind are sorted. All writers keep this
 * order, so no two of them wait for each other.
 *
 * - `workspace`: the members, tokens, bots and settings of a workspace
 * - `bot`: what is counted or unique in a bot: its tables, files, knowledge bases, tags that identify a resource
 * - `owner`: a user with everything that they cause, another resource with its states and tags, or the sign-in of a member
 * - `conversation`: the participants, invitations and messages of a conversation. It is the lock of its row, which a new
 *   sequence number takes, too
 * - `routing`: which members of a workspace are assigned conversations automatically
 * - `table`: the columns, rows and work of a table
 * - `start`: the first records of a server
 *
 * The row of a member is locked after the conversations that are assigned to the member (`lockMember`). The conversations that were
 * assigned meanwhile follow it: only there two transactions can wait for each other, and PostgreSQL repeats one of them.
 */
const lockKinds = ['workspace', 'bot', 'owner', 'conversation', 'routing', 'table', 'start'] as const;

type LockKind = (typeof lockKinds)[number];

/** A kind and an id. The id of a conversation is its server id. */
export type LockName = `${LockKind}:${string}`;

/** Returns the locks in their order, each once. */
export const sortLocks = (names: Iterable<LockName>): LockName[] => [...new Set(names)].sort(compareLocks);

/** Compares two locks by their kinds, then by their ids: negative when the first one is taken before the other. */
export function compareLocks(a: LockName, b: LockName): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  return a < b ? -1 : a > b ? 1 : 0;
}

const rankOf = (name: LockName): number => lockKinds.indexOf(name.slice(0, name.indexOf(':')) as LockKind);
