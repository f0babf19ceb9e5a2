// Writes the modules of src/protocol/types: the types of the schemas that have a name, in plain TypeScript.
import { posix } from 'node:path';
import { namedTypes } from './named-types.ts';
import { blocItem, payloadComponents } from './payloads.ts';
import {
  createTypePrinter,
  descriptionOf,
  docComment,
  type SchemaNode,
  typed,
  unionOf,
} from './print-type.testing.ts';

/** A type that others can import: its name, and its file in src/protocol. */
interface NamedType {
  name: string;
  file: string;
}

const modules = namedTypes as unknown as Record<string, Record<string, SchemaNode>>;
const payloads = { ...payloadComponents, BlocItem: blocItem } as unknown as Record<string, SchemaNode>;
const fileOf = (module: string) => `types/${module}.ts`;

const named = new Map<SchemaNode, NamedType>(
  [
    ...Object.entries(modules).map(([module, types]) => [fileOf(module), types] as const),
    ['payloads.ts', payloads] as const,
  ].flatMap(([file, types]) =>
    Object.entries(types).map(([name, schema]) => [schema, { name, file }] as const),
  ),
);

/** The name of the type of a schema, if it has one: also with a description of the place where it is used. */
export function namedTypeOf(schema: SchemaNode): NamedType | undefined {
  const own = named.get(schema);
  if (own) return own;
  const { pipe = [] } = schema;
  for (const { metadata } of pipe)
    if (metadata?.writtenType) return { name: metadata.writtenType.name, file: metadata.writtenType.module };
  const [inner, ...rest] = pipe;
  return inner && rest.every(({ type }) => type === 'description') ? namedTypeOf(inner) : undefined;
}

const isObject = ({ type }: SchemaNode) => /^(loose_|strict_)?object$/.test(type);

/** The objects with a name all of whose fields an object has, largest first. */
function basesOf(schema: SchemaNode): SchemaNode[] {
  const { entries = {} } = schema;
  const isBase = ([base]: [SchemaNode, NamedType]) => {
    const fields = Object.entries(base.entries ?? {});
    return (
      base !== schema &&
      isObject(base) &&
      fields.length > 0 &&
      fields.length < Object.keys(entries).length &&
      fields.every(([name, entry]) => entries[name] === entry)
    );
  };
  const size = (base: SchemaNode) => Object.keys(base.entries ?? {}).length;
  const inherited = new Set<string>();
  return [...named]
    .filter(isBase)
    .map(([base]) => base)
    .sort((a, b) => size(b) - size(a))
    .filter((base) => {
      const names = Object.keys(base.entries ?? {});
      if (names.every((name) => inherited.has(name))) return false;
      for (const name of names) inherited.add(name);
      return true;
    });
}

/** The text of the module with the types of one module of schemas. */
export function typesModuleOf(module: string): string {
  const file = fileOf(module);
  const imports = new Map<string, Set<string>>();
  const use = (type: NamedType | undefined) => {
    if (type && type.file !== file)
      imports.set(type.file, (imports.get(type.file) ?? new Set()).add(type.name));
    return type?.name;
  };
  const printer = createTypePrinter({ nameOf: (schema) => use(namedTypeOf(schema)), hasComments: true });

  const declarations = Object.entries(modules[module] ?? {}).map(([name, schema]) => {
    const text = descriptionOf(schema);
    const comment = text === undefined ? '' : docComment(text);
    if (!isObject(schema)) {
      const isUnion = ['picklist', 'union', 'variant'].includes(schema.type);
      const type = isUnion ? unionOf(printer.optionsOf(schema, '    ')) : printer.printContent(schema);
      return `${comment}${typed(`export type ${name} =`, type)};\n`;
    }
    const bases = basesOf(schema);
    const isInherited = (field: string) => bases.some(({ entries = {} }) => field in entries);
    const own = Object.entries(schema.entries ?? {}).filter(([field]) => !isInherited(field));
    const heritage = bases.map((base) => use(namedTypeOf(base))).join(', ');
    const extra = schema.type === 'loose_object' ? '  [key: string]: unknown;\n' : '';
    return (
      `${comment}export interface ${name} ${heritage ? `extends ${heritage} ` : ''}{\n` +
      `${printer.printLines(Object.fromEntries(own), '  ')}${extra}}\n`
    );
  });

  const lines = [...imports].map(([from, names]) => {
    const path = posix.relative(posix.dirname(file), from);
    return `import type { ${[...names].sort().join(', ')} } from '${path.startsWith('.') ? path : `./${path}`}';\n`;
  });
  return `// Generated from src/protocol/schemas/${module}.ts by type-modules.test.ts (\`npm run generate\`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
${lines.sort().join('')}
${declarations.join('\n')}`;
}
