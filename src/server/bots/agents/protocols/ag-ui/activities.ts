// Activities of AG-UI: the current activity of an agent (a status), or content that the page draws (a block).
import { appBlock } from '../../../../../protocol/apps.ts';
import { limits } from '../../../../../protocol/limits.ts';
import type { Emit } from '../shared/event-reader.ts';
import { bytesOf, firstLine, idOf, type JsonObject, lineOf, objectOf, plainOf } from '../shared/values.ts';
import { appOf } from './apps.ts';
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
