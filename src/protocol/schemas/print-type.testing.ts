// Prints the type of a schema as plain TypeScript, so that generated modules do not need the schema library.

/** The parts of a schema that the printer reads. */
export interface SchemaNode {
  type: string;
  entries?: Record<string, SchemaNode>;
  pipe?: (SchemaNode & {
    kind: string;
    description?: string;
    metadata?: {
      documentedAs?: { type?: string };
      clientType?: string;
      writtenType?: { name: string; module: string };
    };
  })[];
  wrapped?: SchemaNode;
  item?: SchemaNode;
  items?: SchemaNode[];
  rest?: SchemaNode;
  key?: SchemaNode;
  value?: SchemaNode;
  options?: (SchemaNode | string)[];
  literal?: unknown;
}

const documented: Record<string, string> = {
  integer: 'number',
  boolean: 'boolean',
  object: 'Record<string, unknown>',
};
export const quoted = (text: unknown) => (typeof text === 'string' ? `'${text}'` : String(text));
const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text);

/** The characters of a line, without its indentation. */
const lineLength = 118;

/** The steps of a schema, from the innermost to the outermost. */
const stepsOf = ({ pipe = [] }: SchemaNode): NonNullable<SchemaNode['pipe']> =>
  pipe.flatMap((step) => [...stepsOf(step), step]);

/** The description of a schema, the outermost if there are several. */
export const descriptionOf = (schema: SchemaNode): string | undefined =>
  stepsOf(schema).findLast(({ type }) => type === 'description')?.description;

/** A doc comment, with at most this many characters of text in a line. */
export function docComment(text: string, indent = '', length = lineLength): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line ? `${line} ${word}` : word;
    if (longer.length <= length) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** The alternatives of a union, in one line if they fit. */
export function unionOf(types: readonly string[], indent = ''): string {
  const text = types.join(' | ');
  return text.length <= lineLength && !text.includes('\n')
    ? text
    : types.map((type) => `\n${indent}  | ${type}`).join('');
}

/** A name or declaration with its type, which can begin in the next line. */
export const typed = (start: string, type: string) => `${start}${type.startsWith('\n') ? '' : ' '}${type}`;

interface Options {
  /** The name that is printed instead of the type of a schema. */
  nameOf(schema: SchemaNode): string | undefined;
  /** True when the types do not contain the extra keys of objects. */
  hidesExtraKeys?: boolean;
  /** True when fields have their descriptions as doc comments. */
  hasComments?: boolean;
}

/** Returns functions that print types, and the fields of an object: one text for each. */
export function createTypePrinter({ nameOf, hidesExtraKeys = false, hasComments = false }: Options) {
  const extraKeys = hidesExtraKeys ? '' : ' & { [key: string]: unknown }';

  const optionsOf = (schema: SchemaNode, indent = ''): string[] =>
    schema.type === 'picklist'
      ? (schema.options ?? []).map(quoted)
      : [...new Set(schema.options?.map((option) => print(option as SchemaNode, indent)))];

  function print(schema: SchemaNode, indent = ''): string {
    return nameOf(schema) ?? printContent(schema, indent);
  }

  /** The type of a schema that may have a name. */
  function printContent(schema: SchemaNode, indent = ''): string {
    for (const { metadata } of stepsOf(schema)) {
      const type = metadata?.clientType ?? documented[metadata?.documentedAs?.type ?? ''];
      if (type) return type;
    }
    switch (schema.type) {
      case 'loose_object':
        if (Object.keys(schema.entries ?? {}).length === 0) return 'Record<string, unknown>';
        return `${printObject(schema.entries ?? {}, indent)}${extraKeys}`;
      case 'object':
      case 'strict_object':
        return printObject(schema.entries ?? {}, indent);
      case 'object_with_rest':
        return `${printObject(schema.entries ?? {}, indent)} & { [key: string]: ${print(schema.rest as SchemaNode)} }`;
      case 'string':
      case 'number':
      case 'boolean':
      case 'unknown':
      case 'never':
      case 'null':
        return schema.type;
      case 'literal':
        return quoted(schema.literal);
      case 'picklist':
      case 'union':
      case 'variant':
        return hasComments
          ? unionOf(optionsOf(schema, `${indent}    `), indent)
          : optionsOf(schema).join(' | ');
      case 'nullable':
        return `${print(schema.wrapped as SchemaNode, indent)} | null`;
      case 'array': {
        const item = print(schema.item as SchemaNode, indent);
        return / [|&] /.test(item) ? `(${item})[]` : `${item}[]`;
      }
      case 'tuple':
        return `[${schema.items?.map((item) => print(item, indent)).join(', ')}]`;
      case 'record':
        return `Record<string, ${print(schema.value as SchemaNode, indent)}>`;
      default:
        throw new Error(`There is no type for a schema of type ${schema.type}.`);
    }
  }

  /** The description of a field. A schema with a name has its own description elsewhere. */
  function commentOf(entry: SchemaNode): string | undefined {
    const schema = entry.type === 'exact_optional' ? (entry.wrapped as SchemaNode) : entry;
    const { pipe = [] } = schema;
    const isNamed = nameOf(schema) !== undefined && (pipe[0] === undefined || nameOf(pipe[0]) === undefined);
    return isNamed ? undefined : descriptionOf(schema);
  }

  const printFields = (entries: Record<string, SchemaNode>, indent = ''): string[] =>
    Object.entries(entries).map(([name, entry]) => {
      const key = isName(name) ? name : quoted(name);
      return entry.type === 'exact_optional'
        ? typed(`${key}?:`, print(entry.wrapped as SchemaNode, indent))
        : typed(`${key}:`, print(entry, indent));
    });

  /** The fields of an object, each in lines of its own with its doc comment. */
  const printLines = (entries: Record<string, SchemaNode>, indent: string): string =>
    Object.entries(entries)
      .map(([name, entry]) => {
        const comment = hasComments ? commentOf(entry) : undefined;
        const field = printFields({ [name]: entry }, indent).join('');
        return `${comment === undefined ? '' : docComment(comment, indent)}${indent}${field};\n`;
      })
      .join('');

  function printObject(entries: Record<string, SchemaNode>, indent = ''): string {
    if (hasComments && Object.values(entries).some((entry) => commentOf(entry) !== undefined))
      return `{\n${printLines(entries, `${indent}  `)}${indent}}`;
    const fields = printFields(entries, indent);
    return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<never, never>';
  }

  return { print, printContent, optionsOf, printFields, printLines, printObject };
}
