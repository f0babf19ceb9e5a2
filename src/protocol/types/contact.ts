// Generated from src/protocol/schemas/contact.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** What visitors see of the address that they have left. */
export interface Contact {
  email: string;
}

/** What was mailed to a visitor who has asked for a transcript. `link`: the address is not confirmed yet. */
export interface MailedTranscript extends Contact {
  sends: 'transcript' | 'link';
}

/** What the team sees of the address of a visitor. */
export interface TeamContact extends Contact {
  state: 'new' | 'confirmed' | 'undeliverable' | 'unsubscribed';
}
