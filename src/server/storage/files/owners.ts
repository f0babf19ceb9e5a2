// The owners of files in conversations, in contrast to those of the Files API.

/** The types of the owners of files that visitors and their bots can have: of a visitor, and of members who reply. */
const chatFileOwners = ['visitor', 'conversation'] as const;
/** The same types, and notes, whose files only the team can have. Their `ownerId` is the conversation. */
const conversationFileOwners = [...chatFileOwners, 'note'] as const;
export type ConversationFileOwner = (typeof conversationFileOwners)[number];

const sqlList = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');

/** SQL lists of these types. */
export const chatFileOwnersSql = sqlList(chatFileOwners);
export const conversationFileOwnersSql = sqlList(conversationFileOwners);

/** True for files that visitors can have: everyone who has their address reads them. */
export const isChatFile = ({ ownerType }: { ownerType: string }): boolean =>
  (chatFileOwners as readonly string[]).includes(ownerType);

/** True for files in conversations, also in notes: nobody reaches them by the Files API. */
export const isConversationFile = ({ ownerType }: { ownerType: string }): boolean =>
  (conversationFileOwners as readonly string[]).includes(ownerType);
