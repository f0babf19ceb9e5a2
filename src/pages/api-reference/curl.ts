// Formats the request of an operation as a curl command with shell-safe quoting.
import type { Operation } from './document.ts';
import { exampleOf, placeholderOf, type Schemas } from './schema.ts';

/** The placeholders of header values, by header name. */
export const placeholders: Record<string, string> = {
  authorization: 'Bearer TOKEN',
  'x-workspace-id': 'WORKSPACE_ID',
  'x-bot-id': 'BOT_ID',
  'x-destination-bot-id': 'DESTINATION_BOT_ID',
  'x-user-key': 'USER_KEY',
  'x-user-proof': 'CHALLENGE.NONCE',
  'x-visitor-locale': 'page=pt-BR&chat=pt-BR&timeZone=America%2FSao_Paulo',
};

/** A curl command; `base` is the address of the server, with a slash at the end. */
export function curlOf(
  { method, path, parameters, body, responses }: Operation,
  base: string,
  schemas: Schemas,
): string {
  const requiredIn = (location: string) =>
    parameters.filter((parameter) => parameter.in === location && parameter.required);
  const query = requiredIn('query').map(
    ({ name, schema, example = exampleOf(schema, schemas, { name }) }) =>
      `${name}=${encodeURIComponent(String(example))}`,
  );
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => placeholderOf(name)).replace(/^\//, '');
  const headers = requiredIn('header').map(
    ({ name }) => `${name}: ${placeholders[name] ?? name.toUpperCase()}`,
  );
  const isStream = responses.some(({ content }) => content?.type === 'text/event-stream');
  const isJson = body?.type === 'application/json';
  if (body) headers.push(`content-type: ${body.type}`);
  const verb = { GET: isStream ? '-N ' : '', HEAD: '-I ' }[method] ?? `-X ${method} `;
  const address = base + target + (query.length > 0 ? `?${query.join('&')}` : '');
  const parts = [`curl ${verb}${quote(address)}`, ...headers.map((header) => `-H ${quote(header)}`)];
  if (body && isJson) {
    const sample = body.example ?? exampleOf(body.schema, schemas, { withAll: !hasRequired(body) });
    parts.push(`-d ${quote(JSON.stringify(sample, null, 2))}`);
  } else if (body) parts.push('--data-binary @FILE');
  return parts.join(' \\\n  ');
}

/** Whether a body has required fields; a body without any is shown with all fields. */
const hasRequired = ({ schema }: { schema: { required?: string[] } }) => (schema.required ?? []).length > 0;

/** Quotes a text as one argument for a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
