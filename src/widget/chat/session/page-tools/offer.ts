// What the page offers to the bot: reads the tools, the context and the blocks that it has registered, and leaves out what is not
// valid.
import { platformError } from '../../../../protocol/error.ts';
import {
  type ClientContext,
  type ClientTool,
  clientLimits as most,
  type PageClient,
} from '../../../../protocol/interrupts/client-tools.ts';
import type { PageHooks } from '../../../../protocol/page-api/page-api.ts';
import type { PageTool } from '../../../../protocol/page-api/page-tool.ts';
import type { hookError } from '../../hooks/result.ts';
import type { SessionContext } from '../context.ts';
import type { registeredBlocks } from '../page-blocks.ts';
import type { callPage } from '../page-callback.ts';

export interface Offers {
  /** The tools by name, as they are now: of two with the same name, the newer one. */
  tools(): Map<string, PageTool>;
  /** What goes with a message; undefined for nothing. Never rejects. */
  collect(): Promise<PageClient | undefined>;
}

/** Functions of the bundle that loads this one. */
export interface SharedFunctions {
  callPage: typeof callPage;
  hookError: typeof hookError;
  registeredBlocks: typeof registeredBlocks;
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

export function createOffers(
  { widget }: Pick<SessionContext, 'widget'>,
  tabId: string,
  shared: SharedFunctions,
): Offers {
  /** What was reported, so that it is reported once. */
  const reported = new Set<unknown>();
  const report = (about: unknown, error: Error) => {
    if (reported.has(about)) return;
    reported.add(about);
    console.warn(`[platform] ${error.message}`);
    widget.emit('error', error as Parameters<typeof widget.emit<'error'>>[1]);
  };
  const refuse = (about: unknown, message: string) =>
    report(about, platformError('invalid_argument', message));
  const ask = async <T>(
    hooks: PageHooks,
    what: string,
    call: () => T | Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await shared.callPage(
        async () => call(),
        widget.signal,
        () => new Error('It has not answered in time.'),
      );
    } catch (error) {
      if (!widget.signal.aborted) report(hooks, shared.hookError(what, error));
      return undefined;
    }
  };

  /** Removes tools whose signal was aborted, and contexts that were replaced: the launcher only adds. */
  function prune(): void {
    // The set of the launcher.
    const all = widget.hooks as Set<PageHooks>;
    const contexts = [...all].filter(({ context }) => context);
    for (const hooks of contexts.slice(0, -1)) all.delete(hooks);
    for (const hooks of [...all]) if (hooks.tool?.[1]?.signal?.aborted) all.delete(hooks);
  }

  function tools(): Map<string, PageTool> {
    const known = new Map<string, PageTool>();
    prune();
    for (const { tool: given } of widget.hooks) {
      if (!given) continue;
      const tool = Object(given[0]) as PageTool;
      const { name, description, execute } = tool;
      if (!isName(name))
        refuse(tool, `registerTool(): a name has 1 to ${most.name} letters, digits, "_" or "-".`);
      else if (typeof description !== 'string' || description === '' || typeof execute !== 'function')
        refuse(tool, `registerTool(): the tool ${name} needs a description and a function execute.`);
      else known.set(name, tool);
    }
    return known;
  }

  async function contextOf(): Promise<ClientContext[]> {
    for (const hooks of widget.hooks) {
      const { context } = hooks;
      if (!context) continue;
      const given: unknown =
        typeof context === 'function' ? await ask(hooks, 'setContext', context) : context;
      return (Array.isArray(given) ? given : []).flatMap((entry): ClientContext[] => {
        const { description, value } = Object(entry) as Record<string, unknown>;
        const text = typeof value === 'string' ? value : (toJson(value) ?? 'null');
        if (typeof description === 'string' && description !== '') return [{ description, value: text }];
        refuse(hooks, 'setContext() takes a list of {description, value}, or a function that returns one.');
        return [];
      });
    }
    return [];
  }

  return {
    tools,
    async collect() {
      const offered: ClientTool[] = [];
      const context: ClientContext[] = [];
      const blocks: string[] = [];
      let bytes = 200;
      /** Adds what fits. */
      const add = <T>(list: T[], item: T, count: number, what: string): void => {
        const size = bytesOf(item) + 1;
        if (list.length < count && bytes + size <= most.bytes) {
          bytes += size;
          list.push(item);
        } else refuse(what, `${what} is not sent: at most ${count}, and ${most.bytes} bytes in all.`);
      };
      for (const tool of tools().values()) {
        const read = readTool(tool);
        if (read) add(offered, read, most.tools, `registerTool(): the tool ${tool.name}`);
        else refuse(tool, `registerTool(): the inputSchema of ${tool.name} is not a JSON object.`);
      }
      for (const entry of await contextOf())
        add(context, entry, most.context, `setContext(): the entry ${entry.description.slice(0, 60)}`);
      for (const name of shared.registeredBlocks(widget).keys())
        add(blocks, name, most.blocks, `registerBlock(): the name ${name}`);
      if (offered.length + context.length + blocks.length === 0) return undefined;
      return {
        id: tabId,
        ...(offered.length > 0 ? { tools: offered } : {}),
        ...(context.length > 0 ? { context } : {}),
        ...(blocks.length > 0 ? { blocks } : {}),
      };
    },
  };
}

const isName = (name: unknown): boolean => typeof name === 'string' && /^[\w-]{1,64}$/.test(name);

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A tool as it is sent: nothing else of the page's object. */
function readTool({ name, title, description, inputSchema, annotations }: PageTool): ClientTool | undefined {
  const schema: unknown = inputSchema === undefined ? undefined : JSON.parse(toJson(inputSchema) ?? 'null');
  if (schema !== undefined && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    return undefined;
  const { readOnlyHint, untrustedContentHint } = Object(annotations) as Record<string, unknown>;
  return {
    name,
    ...(typeof title === 'string' && title !== '' ? { title: title.slice(0, most.title) } : {}),
    description,
    ...(schema === undefined ? {} : { inputSchema: schema as Record<string, unknown> }),
    ...(readOnlyHint === true || untrustedContentHint === true
      ? {
          annotations: {
            ...(readOnlyHint === true ? { readOnlyHint } : {}),
            ...(untrustedContentHint === true ? { untrustedContentHint } : {}),
          },
        }
      : {}),
  };
}
