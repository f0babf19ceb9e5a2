// Checks of the answers of a visitor, and their form for the server.

import type { PreChatAnswers } from '../../../protocol/types/visitors.ts';
import { isPlainLine, isVisitorEmail } from '../../../protocol/visitors.ts';
import { type Field, nameOfSiteField } from './read-form.ts';

/** Typed and chosen values by the name of the field. The consent is `yes`, or missing. */
export type Typed = Record<string, string>;

export type Problem = 'missing' | 'email' | 'long' | 'characters';
export type Problems = Record<string, Problem>;

export function problemsOf(fields: readonly Field[], typed: Typed): Problems {
  const problems: Problems = {};
  for (const field of fields) {
    const problem = problemOf(field, answerIn(field, typed));
    if (problem) problems[field.name] = problem;
  }
  return problems;
}

function problemOf({ kind, isRequired, maxLength }: Field, value: string): Problem | undefined {
  if (!value) return isRequired ? 'missing' : undefined;
  if (kind === 'email') return isVisitorEmail(value) ? undefined : 'email';
  if (value.length > maxLength) return 'long';
  return isPlainLine(value) ? undefined : 'characters';
}

/** The answer of a field; '' without one, and for a choice that the site does not offer any more. */
export function answerIn({ name, kind, label, options }: Field, typed: Typed): string {
  const answer = Object.hasOwn(typed, name) ? String(typed[name]).trim() : '';
  if (kind === 'consent') return answer && label;
  return options && !options.some(({ value }) => value === answer) ? '' : answer;
}

/** The answers as the server takes them, without empty ones. */
export function answersOf(fields: readonly Field[], typed: Typed): PreChatAnswers {
  const answers: PreChatAnswers = {};
  const ofSite: [name: string, value: string][] = [];
  for (const field of fields) {
    const value = answerIn(field, typed);
    if (!value) continue;
    if (field.kind === 'field') ofSite.push([nameOfSiteField(field), value]);
    else answers[field.kind] = value;
  }
  return ofSite.length > 0 ? { ...answers, fields: Object.fromEntries(ofSite) } : answers;
}
