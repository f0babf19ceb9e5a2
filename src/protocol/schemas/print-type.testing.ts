// Prints the type of a schema as plain TypeScript, so that generated modules do not need the schema library.

/** The parts of a schema that the printer reads. */
export interface SchemaNode {
  type: string;
  entries?: Record<string, SchemaNode>;
  pipe?: {
    kind: string;
    type?: string;
    description?: string;
    metadata?: { documentedAs?: { type?: string }; clientType?: string };
  }[];
  wrapped?: SchemaNode;
  item?: SchemaNode;
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

interface Options {
  /** The name that is printed instead of the type of a schema. */
  nameOf(schema: SchemaNode): string | undefined;
  /** True when the types do not contain the extra keys of objects. */
  hidesExtraKeys?: boolean;
}

/** Returns functions that print types, and the fields of an object: one text for each. */
export function createTypePrinter({ nameOf, hidesExtraKeys = false }: Options) {
  const extraKeys = hidesExtraKeys ? '' : ' & { [key: string]: unknown }';

  function print(schema: SchemaNode): string {
    const name = nameOf(schema);
    if (name !== undefined) return name;
    for (const { metadata } of schema.pipe ?? []) {
      const type = metadata?.clientType ?? documented[metadata?.documentedAs?.type ?? ''];
      if (type) return type;
    }
    switch (schema.type) {
      case 'loose_object':
        if (Object.keys(schema.entries ?? {}).length === 0) return 'Record<string, unknown>';
        return `${printObject(schema.entries ?? {})}${extraKeys}`;
      case 'object':
        return printObject(schema.entries ?? {});
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
        return schema.options?.map(quoted).join(' | ') ?? 'never';
      case 'union':
      case 'variant':
        return [...new Set(schema.options?.map((option) => print(option as SchemaNode)))].join(' | ');
      case 'nullable':
        return `${print(schema.wrapped as SchemaNode)} | null`;
      case 'array': {
        const item = print(schema.item as SchemaNode);
        return / [|&] /.test(item) ? `(${item})[]` : `${item}[]`;
      }
      case 'record':
        return `Record<string, ${print(schema.value as SchemaNode)}>`;
      default:
        throw new Error(`There is no type for a schema of type ${schema.type}.`);
    }
  }

  const printFields = (entries: Record<string, SchemaNode>): string[] =>
    Object.entries(entries).map(([name, entry]) => {
      const key = isName(name) ? name : quoted(name);
      return entry.type === 'exact_optional'
        ? `${key}?: ${print(entry.wrapped as SchemaNode)}`
        : `${key}: ${print(entry)}`;
    });

  function printObject(entries: Record<string, SchemaNode>): string {
    const fields = printFields(entries);
    return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<never, never>';
  }

  return { print, printFields, printObject };
}
