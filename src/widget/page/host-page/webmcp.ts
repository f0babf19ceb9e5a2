// WebMCP: offers the tools of the page to the agents of the browser, or the tools that other code has registered there to the bot
// (https://webmachinelearning.github.io/webmcp/). The interface is experimental: it is looked for, and each call can fail.
import { platformError } from '../../../protocol/error.ts';
import { findIssue } from '../../../protocol/json-schema.ts';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import type { PageHooks, PageTool } from '../../../protocol/page-api/page-api.ts';
import type { Widget } from '../../launcher-chat-interface.ts';

/** The interface of the browser. Its older forms lack what is optional here. */
interface ModelContext {
  registerTool(tool: object, options: { signal: AbortSignal }): unknown;
  unregisterTool?(name: string): unknown;
  getTools?(): Promise<readonly RegisteredTool[]>;
  executeTool?(tool: RegisteredTool, input: unknown, options: { signal: AbortSignal }): Promise<unknown>;
}

interface RegisteredTool {
  name: string;
  title?: string;
  description: string;
  /** Older browsers have it as JSON, and take the input as JSON, too. */
  inputSchema?: object | string;
  annotations?: { untrustedContentHint?: boolean };
}

type Mode = Configuration['webmcp'];

/** The present use of the interface by each chat. */
const running = new WeakMap<Widget, { mode: Mode; update(): void; end(): void }>();

/** Begins, changes or ends it. Called again after each change of the configuration or of the tools of the page. */
export function applyWebmcp(widget: Widget, mode: Mode): void {
  const present = running.get(widget);
  if (present && present.mode !== mode) {
    present.end();
    running.delete(widget);
  }
  const context = findModelContext();
  if (context && mode && !running.has(widget)) {
    const begun = mode === 'offer' ? offerTools(widget, context) : useTools(widget, context);
    running.set(widget, { mode, ...begun });
    widget.signal.addEventListener('abort', begun.end);
  }
  running.get(widget)?.update();
}

function findModelContext(): ModelContext | undefined {
  // It was a property of the navigator first.
  for (const place of [document, navigator]) {
    try {
      const { modelContext } = place as { modelContext?: Partial<ModelContext> };
      if (typeof modelContext?.registerTool === 'function') return modelContext as ModelContext;
    } catch {
      // Not allowed on this page.
    }
  }
  return undefined;
}

/** Registers the tools of the page as long as the page has them. */
function offerTools(widget: Widget, context: ModelContext) {
  const registered = new Map<string, { tool: PageTool; registration: AbortController }>();
  const reported = new Set<PageTool>();

  async function register(tool: PageTool, registration: AbortController): Promise<void> {
    const { signal } = registration;
    try {
      const {
        name,
        title,
        description,
        inputSchema = { type: 'object', properties: {} },
        annotations,
      } = tool;
      const execute = async (input: unknown, options?: { signal?: AbortSignal }) => {
        // A copy, which the page can change. The browser does not compare it with the schema.
        const inputCopy: unknown = JSON.parse(JSON.stringify(input ?? {}));
        const issue = findIssue(inputSchema, inputCopy);
        if (issue) throw new TypeError(`The input is not valid: ${issue}.`);
        return tool.execute(inputCopy, { signal: options?.signal ?? signal });
      };
      const optional = { ...(title && { title }), ...(annotations && { annotations }) };
      // Older browsers do not know the signal.
      signal.addEventListener('abort', () => void forget(context, name));
      await context.registerTool({ name, description, inputSchema, ...optional, execute }, { signal });
    } catch (error) {
      if (signal.aborted || reported.has(tool)) return;
      reported.add(tool);
      const message = `webmcp: the browser did not accept a tool: ${String(Object(error).message)}`;
      console.warn(`[platform] ${message}`);
      widget.emit('error', platformError('invalid_argument', message, error));
    }
  }

  function update(): void {
    const wanted = new Map<string, PageTool>();
    for (const { tool: [tool, options] = [] } of widget.hooks) {
      if (tool && !options?.signal?.aborted) wanted.set(nameOf(tool), tool);
    }
    for (const [name, { tool, registration }] of registered) {
      if (wanted.get(name) === tool) continue;
      registered.delete(name);
      registration.abort();
    }
    for (const { tool: [tool, options] = [] } of widget.hooks) {
      if (!tool || wanted.get(nameOf(tool)) !== tool || registered.has(nameOf(tool))) continue;
      const registration = new AbortController();
      registered.set(nameOf(tool), { tool, registration });
      options?.signal?.addEventListener('abort', update, { signal: registration.signal });
      void register(tool, registration);
    }
  }

  return {
    update,
    end() {
      for (const { registration } of registered.values()) registration.abort();
      registered.clear();
    },
  };
}

async function forget(context: ModelContext, name: string): Promise<void> {
  try {
    await context.unregisterTool?.(name);
  } catch {
    // The signal has removed it.
  }
}

/** '' for a tool without a name that can be read: the chat reports it. */
function nameOf(tool: PageTool): string {
  try {
    return String(tool.name);
  } catch {
    return '';
  }
}

/** Adds what other code has registered to what the page offers to the bot. */
function useTools(widget: Widget, context: ModelContext) {
  const { getTools, executeTool } = context;
  // The set of the launcher, which outlives the chat.
  const all = widget.hooks as Set<PageHooks>;
  const source: PageHooks = {
    async foreign() {
      const tools = await context.getTools?.();
      return (tools ?? []).map((tool) => toolOf(context, tool));
    },
  };
  return {
    update() {
      if (!getTools || !executeTool || all.has(source)) return;
      all.add(source);
      // A chat that has loaded already looks for it.
      widget.config({});
    },
    end: () => void all.delete(source),
  };
}

/** A tool of other code, as one of the page. Its own claim to be harmless is left out. */
function toolOf(context: ModelContext, tool: RegisteredTool): PageTool {
  const { name, title, description, inputSchema, annotations } = tool;
  const isOlder = typeof inputSchema === 'string';
  const schema = isOlder ? (readJson(inputSchema) as object) : inputSchema;
  return {
    name,
    description,
    ...(title && { title }),
    ...(schema && { inputSchema: schema }),
    ...(annotations?.untrustedContentHint && { annotations: { untrustedContentHint: true } }),
    async execute(input: unknown, { signal }) {
      const browserInput = isOlder ? JSON.stringify(input) : input;
      return readJson(await context.executeTool?.(tool, browserInput, { signal }));
    },
  };
}

/** The value in a text that is mostly JSON. */
function readJson(text: unknown): unknown {
  if (text === undefined || text === 'undefined') return null;
  try {
    return JSON.parse(text as string);
  } catch {
    return text;
  }
}
