// The examples in the declarations of operations with values in the place of their placeholders, for tests that call
// every operation.
import type { Operation } from './operation.ts';

/** Placeholder -> value: the id of an existing resource. */
export type TestData = Readonly<Record<string, string>>;

type Example = Readonly<Record<string, unknown>>;

/** The examples of an operation; one without fields if it has none. */
export const examplesOf = ({ examples }: Pick<Operation, 'examples'>): readonly Example[] =>
  examples?.length ? examples : [{}];

/**
 * Replaces each `<<name>>` in the texts of an example.
 * @throws if the test data does not have the name.
 */
export function fillExample<T>(example: T, data: TestData): T {
  if (typeof example === 'string') {
    const text = example.replace(/<<(\w+)>>/g, (_, name: string) => {
      const value = data[name];
      if (value === undefined) throw new Error(`The test data has no "${name}", which an example refers to.`);
      return value;
    });
    return text as T;
  }
  if (Array.isArray(example)) return example.map((item) => fillExample(item, data)) as T;
  if (typeof example !== 'object' || example === null) return example;
  const entries = Object.entries(example).map(([key, value]) => [key, fillExample(value, data)]);
  return Object.fromEntries(entries) as T;
}
