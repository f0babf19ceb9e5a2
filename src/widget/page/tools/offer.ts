// The offers of the page to the bot: reads the tools, the context and the blocks that it has registered, and leaves out what is not
// valid.
import { platformError } from '../../../protocol/error.ts';
import { clientLimits as most } from '../../../protocol/interrupts.ts';
import type { PageHooks } from '../../../protocol/page-api/page-api.ts';
import type { ClientContext, ClientTool, PageClient } from '../../../protocol/types/interrupts.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { registeredBlocks } from '../hooks/page-blocks.ts';
import { callPage, hookError } from '../hooks/page-callback.ts';
import { type KnownTool, readTool } from './read-tool.ts';
import type { Tab } from './tab.ts';

export interface Offers {
  /** The tools by name, as they are now: of two with the same name, the newer one. Never rejects. */
  tools(): Promise<Map<string, KnownTool>>;
  /** Whether the page has registered nothing that it could offer. */
  isEmpty(): boolean;
  /** The offer that goes with a message; undefined for none. Never rejects. */
  collect(): Promise<PageClient | undefined>;
}

/** Whether the page has registered something that goes with messages. */
export const hasOffers = ({ hooks }: Widget): boolean =>
  [...hooks].some(({ tool, context, block, foreign }) => tool || context || block || foreign);

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

export function createOffers({ widget }: Pick<SessionContext, 'widget'>, tab: Pick<Tab, 'keepId'>): Offers {
  /** Reported problems: each is reported once. */
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
      return await callPage(
        async () => call(),
        widget.signal,
        () => new Error('It has not answered in time.'),
      );
    } catch (error) {
      if (!widget.signal.aborted) report(hooks, hookError(what, error));
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

  async function tools(): Promise<Map<string, KnownTool>> {
    prune();
    const knownTools = new Map<string, KnownTool>();
    for (const { tool } of widget.hooks) {
      if (!tool) continue;
      const read = readTool(tool[0]);
      if (typeof read === 'string') refuse(tool[0], `registerTool(): ${read}`);
      else knownTools.set(read.sent.name, read);
    }
    for (const hooks of widget.hooks) {
      for (const tool of (hooks.foreign && (await ask(hooks, 'webmcp', hooks.foreign))) ?? []) {
        const read = readTool(tool);
        // Tools of the page come first. Invalid tools of other code are not reported, because the page cannot change them.
        if (typeof read === 'string' || knownTools.has(read.sent.name)) continue;
        // The word of the site counts for its own tools alone.
        delete read.sent.annotations?.readOnlyHint;
        knownTools.set(read.sent.name, { ...read, isForeign: true });
      }
    }
    return knownTools;
  }

  async function contextOf(): Promise<ClientContext[]> {
    for (const hooks of widget.hooks) {
      const { context } = hooks;
      if (!context) continue;
      const input: unknown =
        typeof context === 'function' ? await ask(hooks, 'setContext', context) : context;
      // One more than is sent, so that the page gets an error about it.
      const entries = Array.isArray(input) ? input.slice(0, most.context + 1) : [];
      return entries.flatMap((entry): ClientContext[] => {
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
    isEmpty: () => !hasOffers(widget),
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
      for (const { sent } of (await tools()).values())
        add(offered, sent, most.tools, `registerTool(): the tool ${sent.name}`);
      for (const entry of await contextOf())
        add(context, entry, most.context, `setContext(): the entry ${entry.description.slice(0, 60)}`);
      for (const name of registeredBlocks(widget).keys())
        add(blocks, name, most.blocks, `registerBlock(): the name ${name}`);
      if (offered.length + context.length + blocks.length === 0) return undefined;
      return {
        id: tab.keepId(),
        ...(offered.length > 0 ? { tools: offered } : {}),
        ...(context.length > 0 ? { context } : {}),
        ...(blocks.length > 0 ? { blocks } : {}),
      };
    },
  };
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
