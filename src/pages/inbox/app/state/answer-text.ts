// The variables of canned answers: filling them in, and finding those that are still empty. Pure.

/** `{{name}}` or `{{name|fallback}}`. */
const variable = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*(?:\|([^{}]*))?\}\}/gu;

/** The value of a variable by its name; undefined or blank if there is none. */
export type ValueOf = (name: string) => string | undefined;

/**
 * Fills in the variables of a text, each once: what a value contains is not read again. One without a value becomes its
 * fallback, and without a fallback it stays as `{{name}}`.
 */
export const fillAnswer = (text: string, lookUp: ValueOf): string =>
  text.replace(
    variable,
    (_, name: string, fallback = '') => lookUp(name)?.trim() || fallback.trim() || `{{${name}}}`,
  );

/** A variable in a text that nothing was filled in for, with its place. */
export interface EmptyVariable {
  text: string;
  from: number;
  to: number;
}

export const emptyVariables = (text: string): EmptyVariable[] =>
  [...text.matchAll(variable)].map(({ 0: found, index }) => ({
    text: found,
    from: index,
    to: index + found.length,
  }));

/** What the variables of an answer are filled in with. */
export interface AnswerContext {
  visitorName: string | undefined;
  /** As visitors see it: never an e-mail address. */
  memberName: string | undefined;
  /** The page on which the visitor is, if it is known. */
  page?: string | undefined;
  /** The fields of the profile of the visitor. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** Returns the values of the variables. A field of the profile has no part in the names that begin with another noun. */
export function valuesOf({ visitorName, memberName, page, fields }: AnswerContext): ValueOf {
  const known: [string, string | undefined][] = [
    ...fields.map(([name, value]): [string, string] => [name, value]),
    ['visitor.name', visitorName],
    ['member.name', memberName],
    ['conversation.page', page],
  ];
  const values = new Map(known);
  return (name) => values.get(name);
}
