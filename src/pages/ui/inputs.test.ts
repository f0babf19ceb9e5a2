// Writes inputs.ts, the limits of the fields that the forms of the console send, from the declarations of the APIs.
// After a change of a declaration: `npm run generate`.
import { toJsonSchema } from '@valibot/to-json-schema';
import { expect, test } from 'vitest';
import { adminOperations } from '../../protocol/operations/admin/index.ts';
import { filesOperations } from '../../protocol/operations/files.ts';
import type { Operation } from '../../protocol/operations/operation.ts';

/** The operations that forms of the console call. */
const names = [
  'createBot',
  'updateBot',
  'setBotDeployment',
  'testBotAgent',
  'setBotRetention',
  'createWorkspaceMember',
  'updateWorkspaceMember',
  'updateAccount',
  'updateWorkspace',
  'createWorkspace',
  'createToken',
  'createKnowledgeBase',
];

interface Schema {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  enum?: string[];
}

function limitsOf(schema: Schema, path = ''): Record<string, object> {
  const found: Record<string, object> = {};
  for (const [name, given] of Object.entries(schema.properties ?? {})) {
    const property = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
    if (property.properties) Object.assign(found, limitsOf(property, `${path}${name}.`));
    if (!['string', 'number', 'integer', 'boolean'].includes(property.type ?? 'string')) continue;
    const { minLength, maxLength, minimum, maximum } = property;
    found[path + name] = JSON.parse(
      JSON.stringify({
        isRequired: schema.required?.includes(name) || undefined,
        minLength: minLength || undefined,
        maxLength,
        minimum,
        maximum,
        options: property.enum,
      }),
    );
  }
  return found;
}

test('the limits of the forms are those of the declarations (npm run generate writes them)', async () => {
  const operations: Record<string, Operation> = { ...adminOperations, ...filesOperations };
  const inputs = Object.fromEntries(
    names.map((name) => {
      const input = operations[name]?.input;
      if (!input) throw new Error(`${name} has no input.`);
      return [name, limitsOf(toJsonSchema(input, { errorMode: 'ignore', typeMode: 'input' }) as Schema)];
    }),
  );
  const text = `// Generated from src/protocol/operations by inputs.test.ts (\`npm run generate\`). Do not edit.
// biome-ignore-all format: generated
import type { Limits } from './Form.tsx';

/** The limits of the fields of an operation, by its name and the path of the field. */
export const inputs: Record<${names.map((name) => `'${name}'`).join(' | ')}, Record<string, Limits>> = ${JSON.stringify(inputs, null, 1)};
`;
  await expect(text).toMatchFileSnapshot('./inputs.ts');
});
