// Writes the methods of ChatClient from the routes, and fails while they differ. After a change of a declaration: `npm run generate`.
import { expect, test } from 'vitest';
import { chatRoutes } from '../operations/chat.ts';

test('each operation of the Chat API is a method of ChatClient (npm run generate writes them)', async () => {
  const methods = Object.keys(chatRoutes).map(
    (name) =>
      `  ${name}(...request: In<'${name}'>): Out<'${name}'> {\n    return callRoute(this, routes.${name}, request);\n  }`,
  );
  const module = `// The methods of ChatClient, generated from src/protocol/operations/chat by chat-operations.test.ts. Do not edit.
import type { ChatMethods } from '../operations/chat.ts';
import * as routes from '../operations/chat.ts';
import { ChatClientCore, callRoute } from './caller.ts';

type In<Name extends keyof ChatMethods> = Parameters<ChatMethods[Name]>;
type Out<Name extends keyof ChatMethods> = ReturnType<ChatMethods[Name]>;

/** Every operation as a method. Their documentation is that of ChatMethods. */
export class ChatOperations extends ChatClientCore implements ChatMethods {
${methods.join('\n')}
}
`;
  await expect(module).toMatchFileSnapshot('./chat-operations.ts');
});
