// Generated from src/protocol/schemas/visitors/pre-chat-form.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/**
 * The answers as a client sends them, with the conversation that they begin. Each is left out if the form does not ask
 * for it.
 */
export interface PreChatAnswers {
  name?: string;
  email?: string;
  /** One of the topics of the site. */
  topic?: string;
  /** The sentence to which the visitor has agreed. */
  consent?: string;
  /** The answers in the fields of the site, by the name of the field. */
  fields?: Record<string, string>;
}

/** The values that are kept with the conversation. Name and e-mail address belong to the visitor, and are kept there. */
export interface PreChatForm {
  /** One of the topics of the site. */
  topic?: string;
  /** `at`: when the server received it. */
  consent?: { text: string; at: string };
  /** The answers in the fields of the site, by the name of the field. */
  fields?: Record<string, string>;
}
