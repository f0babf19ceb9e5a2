// Puts a canary into the examples of operations, for tests that search for it where no private value may be.
import * as v from 'valibot';
import { fillExample } from '../../protocol/operations/example-requests.testing.ts';
import { hasBody, type Operation } from '../../protocol/operations/operation.ts';

/** Part of every text that is sent. V8 and Node quote only the beginning of a long text. */
export const canary = 'canary';

/** Path parameters whose texts name what exists: they cannot be chosen. */
const fixedParameters = ['type', 'partId', 'eventId'];

/** Each placeholder has its name as its value. */
const names = new Proxy<Record<string, string>>({}, { get: (_, name) => `example-${String(name)}` });

/** A color or the type of a file, which schemas accept as any text, and handlers do not. */
const isChecked = (text: string): boolean => /^#[\da-f]{6}$|^(?:text|image)\/\w+$/.test(text);

/** The replacements of a text, the shortest first. A text with the id of a resource keeps it. */
function candidates(text: string): string[] {
  if (isChecked(text)) return [];
  if (text.includes('<<')) return [canary + text];
  return [
    canary,
    `${canary}@example.com`,
    `https://${canary}.example/${canary}`,
    canary.padEnd(text.length, 'x'),
    text + canary,
  ];
}

type Fields = Record<string, unknown>;

/**
 * The example with the canary in each text where the schema of the operation allows it; `hasMore`: and in a further field of
 * each inner object.
 */
export function withCanaries(operation: Operation, example: Readonly<Fields>, hasMore: boolean): Fields {
  // A copy without shared objects.
  const fields = JSON.parse(JSON.stringify(example)) as Fields;
  const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  for (const name of parameters) {
    const text = fields[name];
    if (typeof text !== 'string' || isPlaceholder(text) || fixedParameters.includes(name)) continue;
    fields[name] = text.includes('<<') ? canary + text : canary;
  }
  const { input } = operation;
  const count = (): number => {
    const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !parameters.includes(name)));
    const sent = fillExample(hasBody(operation) ? rest : asQuery(rest), names);
    const { success, output } = input ? v.safeParse(input, sent) : { success: false, output: undefined };
    return success ? JSON.stringify(output).split(canary).length : 0;
  };
  /** Keeps the change if the schema accepts it and its result has more canaries. */
  const isKept = (target: Fields, key: string, value: string): boolean => {
    const [before, had, old] = [count(), key in target, target[key]];
    target[key] = value;
    if (before > 0 && count() > before) return true;
    if (had) target[key] = old;
    else delete target[key];
    return false;
  };
  const visit = (target: Fields, isInner: boolean) => {
    for (const [key, value] of Object.entries(target)) {
      if (key === '$options' || (!isInner && parameters.includes(key))) continue;
      if (typeof value === 'string' && !isPlaceholder(value))
        candidates(value).some((text) => isKept(target, key, text));
      // Arrays are objects, too, whose keys are their indexes.
      else if (typeof value === 'object' && value !== null) visit(value as Fields, true);
    }
    // Not among the operators of a filter.
    const isFilter = Object.keys(target).some((key) => key.startsWith('$'));
    if (hasMore && isInner && !Array.isArray(target) && !isFilter) isKept(target, canary, canary);
  };
  visit(fields, false);
  return fields;
}

const isPlaceholder = (text: string): boolean => /^<<\w+>>$/.test(text);

/** In a query all values are texts. */
const asQuery = (fields: Fields): Fields =>
  JSON.parse(JSON.stringify(fields), (_, value) =>
    ['number', 'boolean'].includes(typeof value) ? String(value) : value,
  );
