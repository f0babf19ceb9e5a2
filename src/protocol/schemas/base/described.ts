// Schemas with descriptions: doc comments of the generated types, and texts of the API reference.
import * as v from 'valibot';

/** The schema with a description. */
export const described = <T extends v.GenericSchema>(schema: T, text: string): T =>
  // `of`: the OpenAPI document refers to a schema with a name, instead of repeating it.
  v.pipe(schema, Object.assign(v.description(text), { of: schema })) as unknown as T;

/** An object with a description. */
export const describedObject = <E extends v.ObjectEntries>(text: string, entries: E) =>
  described(v.object(entries), text);

/** A field that may be left out, with its description. */
export const maybe = <T extends v.GenericSchema>(schema: T, text?: string) =>
  v.exactOptional(text === undefined ? schema : described(schema, text));

/** The schema of a type that says more than it: a type of this name is written in a module of src/protocol. */
export const writtenType = <T>(name: string, module: string, schema: v.GenericSchema) =>
  v.pipe(schema, v.metadata({ writtenType: { name, module } })) as v.GenericSchema<unknown, T>;
