// Reads the data of a block that is an app. It is from the wire: of any shape. Pure.
import type { AppData } from '../../../protocol/apps/app.ts';

/** Returns the app; undefined for data that has no document. */
export function readApp(data: unknown): AppData | undefined {
  const { html, csp, title, toolInput, result } = Object(data) as Partial<Record<string, unknown>>;
  if (typeof html !== 'string' || !html.trim()) return undefined;
  const app: AppData = { html, csp: Object(csp), toolInput: Object(toolInput) };
  if (typeof title === 'string') app.title = title.slice(0, maxTitleLength);
  if (typeof result === 'object' && result) app.result = result as Record<string, unknown>;
  return app;
}

/** Characters. */
const maxTitleLength = 200;
