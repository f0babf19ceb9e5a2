// The sample of an operation in the reference: a realistic request, with names in the place of ids.
import type { Operation } from './operation.ts';

/** Placeholders of examples that stand for a resource of another name. */
const nouns: Readonly<Record<string, string>> = {
  other: 'user',
  handled: 'conversation',
  rated: 'conversation',
  invitation: 'conversation',
  botMessage: 'message',
  answer: 'message',
  clientTool: 'interrupt',
  noteFile: 'file',
  otherNote: 'note',
  otherTeam: 'team',
  otherCannedAnswer: 'cannedAnswer',
  demoBot: 'bot',
  key: 'userKey',
};

/** Returns the sample of an operation, path parameters included; undefined if it has no input. */
export function sampleOf({
  sample,
  examples = [],
  input,
}: Pick<Operation, 'sample' | 'examples' | 'input'>): Record<string, unknown> | undefined {
  const example = sample ?? examples[0];
  if (!example || !input) return undefined;
  const text = JSON.stringify(example).replace(/<<(\w+)>>/g, (_, name: string) => nameOf(name));
  return JSON.parse(text);
}

/** `conversation` becomes CONVERSATION_ID, as the reference writes the ids in paths. */
function nameOf(placeholder: string): string {
  const noun = nouns[placeholder] ?? placeholder;
  const name = /(Id|Key)$/.test(noun) || noun === 'table' ? noun : `${noun}Id`;
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

/** The body of the sample; undefined if the operation has none. */
export function sampleBody(
  operation: Pick<Operation, 'sample' | 'examples' | 'input' | 'path'>,
): Record<string, unknown> | undefined {
  const sample = sampleOf(operation);
  if (!sample) return undefined;
  const isInPath = (name: string) => operation.path.includes(`{${name}}`);
  return Object.fromEntries(Object.entries(sample).filter(([name]) => !isInPath(name)));
}
