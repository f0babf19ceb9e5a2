// Generated from src/protocol/schemas/chat/users.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** A user as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`. */
export interface User {
  id: string;
  name?: string;
  pictureUrl?: string;
  /** Opaque text of the application, at most 1,000 characters. The widget stores `data` here, as JSON. */
  profile?: string;
  createdAt: string;
  updatedAt: string;
}

/** The fields of a user that a client may set. */
export interface UserFields {
  name?: string;
  pictureUrl?: string;
  profile?: string;
}
