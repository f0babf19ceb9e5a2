// The answers to the form before a conversation, and what they may contain. The server and the widget use the same checks.

/** The answers as a client sends them, with the conversation that they begin. Each is left out if the form does not ask for it. */
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

/** What is kept with the conversation. Name and e-mail address belong to the visitor, and are kept there. */
export interface PreChatForm extends Pick<PreChatAnswers, 'topic' | 'fields'> {
  /** `at`: when the server received it. */
  consent?: { text: string; at: string };
}

/** Characters of each answer, and the most fields of a site. The name has the limit of the names of users. */
export const preChatLimits = {
  topic: 100,
  consent: 1_000,
  fields: 10,
  fieldName: 50,
  fieldValue: 500,
} as const;

/**
 * Control characters, characters that end a line, characters that turn the direction of what follows, half characters and tags.
 * Answers are one line each, and everybody who reads them sees what was typed.
 */
const refused = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}|<[a-z!/?]/iu;

/** Whether an answer has only characters that it may have. */
export const isPlainLine = (text: string): boolean => !refused.test(text);
