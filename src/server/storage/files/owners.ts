// The owners of files in conversations, in contrast to those of the Files API.

/** The types of the owners of files in conversations, which are accessible by their address only. */
const chatFileOwners = ['visitor', 'conversation'] as const;
export type ChatFileOwner = (typeof chatFileOwners)[number];

/** SQL list of these types. */
export const chatFileOwnersSql = chatFileOwners.map((type) => `'${type}'`).join(', ');

/** True for files in conversations: nobody reaches them by the Files API. */
export const isChatFile = ({ ownerType }: { ownerType: string }): boolean =>
  (chatFileOwners as readonly string[]).includes(ownerType);
