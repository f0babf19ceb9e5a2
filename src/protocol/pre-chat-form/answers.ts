// The answers to the form before a conversation, and what they may contain. The server and the widget use the same checks.

export type { PreChatAnswers, PreChatForm } from '../types/visitors.ts';

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
