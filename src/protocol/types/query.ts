// Generated from src/protocol/schemas/query.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** `meta` is always present; `nextToken` only if there are more items. */
export interface PageMeta {
  nextToken?: string;
}
