// Writes the modules of this folder from the declarations of the operations: routes, and methods with their types in
// plain TypeScript, so that neither the client nor its type declarations need the schema library.
import type { Api } from '../../protocol/operations/apis.ts';
import type { Operation } from '../../protocol/operations/operation.ts';
import {
  createTypePrinter,
  docComment,
  quoted,
  type SchemaNode,
} from '../../protocol/schemas/print-type.testing.ts';
import { namedTypeOf } from '../../protocol/schemas/type-modules.testing.ts';

/** Prints the types of one module, and records the names that it imports. */
function createPrinter() {
  const imports = new Map<string, Set<string>>();
  const { print, printObject } = createTypePrinter({
    nameOf(schema) {
      const { name, file } = namedTypeOf(schema) ?? {};
      if (name !== undefined && file !== undefined)
        imports.set(file, (imports.get(file) ?? new Set()).add(name));
      return name;
    },
  });

  return {
    imports,
    output: ({ output }: Operation) => print(output as unknown as SchemaNode),
    /** Path parameters, query or body, and headers that are not volatile. */
    input({ route, input, headers = [] }: Operation): string {
      const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, { type: 'string' }]);
      const sent = headers
        .filter(({ isVolatile }) => !isVolatile)
        .map(({ name }) => [name, { type: 'exact_optional', wrapped: { type: 'string' } }]);
      const own = Object.fromEntries([...parameters, ...sent]) as Record<string, SchemaNode>;
      const body = input as unknown as SchemaNode | undefined;
      if (!body) return printObject(own);
      if (!namedTypeOf(body) && body.entries) {
        return printObject({ ...own, ...body.entries });
      }
      const type = print(body);
      if (Object.keys(own).length === 0) return type;
      return `${printObject(own)} & ${['union', 'variant'].includes(body.type) ? `(${type})` : type}`;
    },
  };
}

/** The doc comment of a method. */
const comment = ({ summary }: Operation) => docComment(summary, '  ', 100);

/** The key of the response that contains the items of a list operation; undefined for all others. */
function itemsOf({ name, output }: Operation): string | undefined {
  const { entries = {} } = (output ?? {}) as { entries?: object };
  const isList = name.startsWith('list') && 'meta' in entries;
  return isList ? Object.keys(entries).find((key) => key !== 'meta') : undefined;
}

/** Operations whose responses the client reads differently: caller.ts has their methods. */
const handWritten = ['getWebchat', 'listenConversation'];

/** The text of the module of one API. */
export function moduleOf(api: Api): string {
  const printer = createPrinter();
  const rest = api.name === 'chat' ? chatModule(api, printer) : platformModule(api, printer);
  const imports = [...printer.imports].map(
    ([file, names]) => `import type { ${[...names].sort().join(', ')} } from '../../protocol/${file}';`,
  );
  return `// Routes and methods of the ${api.title}, generated from src/protocol/operations/${api.name} by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
${imports.sort().join('\n')}
${rest}`;
}

type Printer = ReturnType<typeof createPrinter>;

/** One constant for each route, so that a bundle contains only the routes that it uses. */
function chatModule({ title, operations }: Api, printer: Printer): string {
  const methods = operations.filter(({ name }) => !handWritten.includes(name));
  const method = (one: Operation) =>
    `${comment(one)}  ${one.name}(input: ${printer.input(one)}, options?: CallOptions): Promise<${printer.output(one)}>;`;
  return `import type { CallOptions } from '../core/http.ts';

${operations.map(({ name, route }) => `export const ${name} = '${route}';`).join('\n')}

/** Every route that is a method. */
export const chatRoutes = {
${methods.map(({ name }) => `  ${name},`).join('\n')}
};

/** Every operation of the ${title} as a method. */
export interface ChatMethods {
${methods.map(method).join('\n')}
}
`;
}

/** The option that the operations of an API need, if it is not the bot. */
const needs: Partial<Record<Api['name'], string>> = {
  inbox: "'workspaceId'",
  admin: "'workspaceId'",
  session: 'undefined',
};

/** One table for the whole API. */
function platformModule(api: Api, printer: Printer): string {
  const { name, title, base } = api;
  // A stream is not a method: it does not end with a response.
  const operations = api.operations.filter(({ kind }) => kind !== 'teamSubscription');
  const tokenOnly = operations.filter(({ auth }) => auth === 'token').map((one) => quoted(one.name));
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const lists = operations.filter(itemsOf);
  const method = (one: Operation) =>
    `${comment(one)}  ${one.name}(...args: Arguments<${printer.input(one)}>): Promise<${printer.output(one)}>;`;
  const list = (one: Operation) => {
    const short = one.name.charAt(4).toLowerCase() + one.name.slice(5);
    const { entries = {} } = one.output as unknown as SchemaNode;
    const items = printer.output({ ...one, output: entries[itemsOf(one) ?? ''] } as unknown as Operation);
    return `${comment(one)}  ${short}(...args: ListArguments<${printer.input(one)}>): Items<${items.replace(/\[\]$/, '')}>;`;
  };
  const methods = operations.map(method).join('\n');
  const imported = ['Arguments', ...(lists.length > 0 ? ['ListArguments'] : [])].join(', ');
  return `import type { ${imported} } from '../platform/api-client.ts';
${lists.length > 0 ? "import type { Items } from '../core/pages.ts';\n" : ''}
export const ${name}Api = {
  needs: ${needs[name] ?? "'botId'"},
  tokenOnly: [${tokenOnly.join(', ')}],
  routes: {
${operations.map((one) => `    ${one.name}: '${one.method} ${base}${one.path}',`).join('\n')}
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
${lists.map((one) => `    ${one.name}: '${itemsOf(one)}',`).join('\n')}
  },
} as const;

/** Every operation of the ${title} as a method. */
export interface ${type}Methods {
${methods}
}

/** Every list of the ${title} as an async iterable over all pages. */
export ${lists.length > 0 ? `interface ${type}Lists {\n${lists.map(list).join('\n')}\n}` : `type ${type}Lists = Record<never, never>;`}
`;
}
