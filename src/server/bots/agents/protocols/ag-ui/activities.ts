// Activities of AG-UI: the current activity of an agent (a status), or content that the page draws (a block).
import { type AppData, appBlock } from '../../../../../protocol/apps.ts';
import { limits } from '../../../../../protocol/limits.ts';
import type { Emit } from '../shared/event-reader.ts';
import {
  bytesOf,
  firstLine,
  idOf,
  type JsonObject,
  lineOf,
  objectOf,
  objectsOf,
  plainOf,
  textOf,
} from '../shared/values.ts';
import { applyPatch } from './json-patch.ts';

/** Activities whose changes are followed. */
const maxActivities = 20;

interface Activity {
  name: string;
  content: JsonObject;
}

/** Reads snapshots and changes of activities. `blocks`: names of activities that are blocks. */
export function createActivities(blocks: readonly string[]) {
  const activities = new Map<string, Activity>();

  function show(id: string, { name, content }: Activity, emit: Emit): void {
    const text = firstLine(content.text, content.message, content.title, content.label, content.status);
    if (name === appBlock && blocks.includes(name)) {
      const app = appOf(content);
      if (app) emit({ type: 'block', id, name, ...app });
    } else if (blocks.includes(name)) {
      const fallback = plainOf(content.fallback, limits.parts.fallback);
      emit({ type: 'block', id, name, data: content, fallback: fallback || (text ?? name) });
    } else if (text !== undefined) emit({ type: 'status', text });
  }

  function put(id: string, activity: Activity, emit: Emit): void {
    if (bytesOf(activity.content) > limits.parts.blockBytes) return void activities.delete(id);
    if (!activities.has(id) && activities.size >= maxActivities) return;
    activities.set(id, activity);
    show(id, activity, emit);
  }

  return {
    snapshot(event: JsonObject, emit: Emit): void {
      const id = idOf(event.messageId);
      const name = lineOf(event.activityType);
      const content = objectOf(event.content);
      if (id === undefined || name === undefined || !content) return;
      if (event.replace === false && activities.has(id)) return;
      put(id, { name, content }, emit);
    },
    change(event: JsonObject, emit: Emit): void {
      const id = idOf(event.messageId);
      const activity = id === undefined ? undefined : activities.get(id);
      if (id === undefined || !activity) return;
      const content = objectOf(applyPatch(activity.content, event.patch)?.value);
      if (content) put(id, { ...activity, content }, emit);
    },
  };
}

const defaultFallback = 'App';

/**
 * Returns the block of an app of an MCP server; undefined where its document is missing. `content`: `html`, or `resource` as
 * `resources/read` of MCP returns its contents; `toolInput` and `result` (a CallToolResult). Other fields are dropped.
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
