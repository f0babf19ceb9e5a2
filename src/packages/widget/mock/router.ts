// Finds the operation of a request: the routes of the Chat API, as patterns.
import { chatRoutes, getWebchat, listenConversation } from '../../../client/operations/chat.ts';

const routes = { ...chatRoutes, getWebchat, listenConversation };

/** The names of the operations, for `fail()`. */
export type MockOperation = keyof typeof routes;

const patterns = Object.entries(routes).map(([name, route]) => {
  const [method = '', path = ''] = route.split(' ');
  return {
    name: name as MockOperation,
    method,
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
  };
});

/** True for the name of an operation. */
export const isOperation = (name: string): name is MockOperation => Object.hasOwn(routes, name);

/** The operation of a method and a path below the chat's address; undefined for an unknown one. */
export function findOperation(
  method: string,
  path: string,
): { name: MockOperation; parameters: Record<string, string> } | undefined {
  for (const route of patterns) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (!match) continue;
    try {
      const entries = Object.entries(match.groups ?? {}).map(([name, text]) => [
        name,
        decodeURIComponent(text),
      ]);
      return { name: route.name, parameters: Object.fromEntries(entries) as Record<string, string> };
    } catch {
      return undefined;
    }
  }
  return undefined;
}
