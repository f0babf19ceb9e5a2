// Generated from src/protocol/schemas/contact.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** The address that a visitor has left, as the visitor sees it. */
export interface Contact {
  email: string;
}

/** The mail to a visitor who has asked for a transcript. `link`: the address is not confirmed yet. */
export interface MailedTranscript extends Contact {
  sends: 'transcript' | 'link';
}

/** The address of a visitor as the team sees it. */
export interface TeamContact extends Contact {
  state: 'new' | 'confirmed' | 'undeliverable' | 'unsubscribed';
}
