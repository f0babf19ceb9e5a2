// Writes the modules that repeat the schemas of payloads in plain TypeScript: the types, and the fields that the mock
// server checks. Neither may load the schema library.
import { neededFields } from './payload-slots.testing.ts';
import { blocItem, payload, payloadComponents } from './payloads.ts';
import { createTypePrinter, descriptionOf, docComment, type SchemaNode } from './print-type.testing.ts';

const header = (content: string) =>
  `// ${content}. Generated from src/protocol/schemas/payloads.ts by payload-modules.test.ts
// (\`npm run generate\`): with inferred types, every project that uses the client would need the schema library. Do not edit.
// biome-ignore-all format: generated
`;

const { Payload: _, ...named } = payloadComponents as unknown as Record<string, SchemaNode>;
const names = new Map(
  [...Object.entries(named), ['BlocItem', blocItem as unknown as SchemaNode] as const].map(
    ([name, schema]) => [schema, name],
  ),
);
const types = payload.options as unknown as (SchemaNode & { entries: Record<string, SchemaNode> })[];
const typeOf = ({ entries }: SchemaNode) => String(entries?.type?.literal);

for (const name of types.map(typeOf)) {
  if (!/^[a-z]+$/i.test(name))
    throw new Error(
      `The name of a payload type has letters only, as the name of its TypeScript type: ${name}.`,
    );
}

const comment = (schema: SchemaNode | undefined, indent = '') => {
  const text = schema && descriptionOf(schema);
  return text === undefined ? '' : docComment(text, indent);
};

const { print, printFields } = createTypePrinter({
  nameOf: (schema) => names.get(schema),
  hidesExtraKeys: true,
});

function interfaceOf([name, schema]: [string, SchemaNode]): string {
  const fields = Object.entries(schema.entries ?? {}).map(
    ([field, entry]) => `${comment(entry.wrapped ?? entry, '  ')}  ${printFields({ [field]: entry })};\n`,
  );
  return `${comment(schema)}export interface ${name} {\n${fields.join('')}}\n`;
}

const union = (schemas: SchemaNode[]) => schemas.map((schema) => `\n  | ${print(schema)}`).join('');
const unionOf = ({ options }: { options: unknown }) => union(options as SchemaNode[]);

/** The text of src/protocol/payloads.ts. */
export const typesModule = `${header('The types of message payloads')}
${Object.entries(named).map(interfaceOf).join('\n')}
/** The payloads that a \`bloc\` may contain. */
export type BlocItem =${unionOf(blocItem)};

/** All payloads of a message. Objects may have extra keys, which are kept. */
export type Payload =${unionOf(payload)};
export type PayloadType = Payload['type'];
export type PayloadOf<Type extends PayloadType> = Extract<Payload, { type: Type }>;

/** Every type of payload, and whether it is a file: those have a \`fileId\`. */
export const isFileType: {
  readonly [Type in PayloadType]: 'fileId' extends keyof PayloadOf<Type> ? true : false;
} = {
${types.map((schema) => `  ${typeOf(schema)}: ${'fileId' in schema.entries},`).join('\n')}
};
`;

const neededBy = (type: string) =>
  neededFields.flatMap(([payloadType, field, kind]) => (payloadType === type ? [`${field}: '${kind}'`] : []));

/** The text of src/packages/widget/mock/needed-fields.ts. */
export const neededFieldsModule = `${header('The fields that each type of payload needs, with their types')}
import type { PayloadType } from '../../../protocol/payloads.ts';

export const neededFields: {
  readonly [Type in PayloadType]: Readonly<Record<string, 'string' | 'number' | 'array'>>;
} = {
${types
  .map(typeOf)
  .map((type) => `  ${type}: { ${neededBy(type).join(', ')} },`)
  .join('\n')}
};
`;
