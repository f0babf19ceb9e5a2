// Apps of MCP servers in the activities of AG-UI: the resource of the app, the input of its tool and what that returned.
import type { AppData } from '../../../../../protocol/apps.ts';
import { limits } from '../../../../../protocol/limits.ts';
import { firstLine, type JsonObject, objectOf, objectsOf, plainOf, textOf } from '../shared/values.ts';

const defaultFallback = 'App';

/**
 * Returns the block of an app; undefined where its document is missing. `content`: `html`, or `resource` as `resources/read` of MCP
 * returns its contents; `toolInput` and `result` (a CallToolResult). Other fields are dropped.
 */
export function appOf(content: JsonObject): { data: AppData; fallback: string } | undefined {
  const resource = objectOf(content.resource) ?? {};
  const html = textOf(content.html) ?? textOf(resource.text) ?? decode(resource.blob);
  if (html === undefined || html.trim() === '') return undefined;
  const csp = objectOf(content.csp) ?? objectOf(objectOf(objectOf(resource._meta)?.ui)?.csp);
  const title = firstLine(content.title, resource.title, resource.name);
  const toolInput = objectOf(content.toolInput);
  const result = objectOf(content.result);
  const data: AppData = { html };
  if (csp) data.csp = csp;
  if (title !== undefined) data.title = title;
  if (toolInput) data.toolInput = toolInput;
  if (result) data.result = result;
  const texts = objectsOf(result?.content).flatMap(({ text }) => textOf(text) ?? []);
  const { fallback: longest } = limits.parts;
  const fallback = plainOf(content.fallback, longest) || plainOf(texts.join('\n'), longest);
  return { data, fallback: fallback || (title ?? defaultFallback) };
}

/** The text of a `blob`: base64 of UTF-8. */
function decode(blob: unknown): string | undefined {
  return typeof blob === 'string' ? Buffer.from(blob, 'base64').toString() : undefined;
}
