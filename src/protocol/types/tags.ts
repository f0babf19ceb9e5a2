// Generated from src/protocol/schemas/tags.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** A text must be equal; a list means "one of"; several conditions must all match. */
export type TagCondition = string | string[] | { not?: string | string[]; in?: string | string[]; exists?: boolean };

/** Conditions by tag name; all must match. */
export type TagFilter = Record<string, TagCondition>;
