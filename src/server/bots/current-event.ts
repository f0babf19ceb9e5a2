// Records for which event the code of a bot runs, so that an uncaught error is logged with the bot and the
// event. The context also covers timers and promises that the code started.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventContext } from './event-context.ts';

/** The context of an error of bot code in the log. */
export interface BotContext {
  botId?: string;
  eventId?: string;
  eventType?: string;
  conversationId?: string;
  /** The number of the event in the thread of the bot. */
  run?: number;
  /** The file of the module, when the code runs because it is imported. */
  module?: string;
}

/** The fields of an event that the log contains: ids and its type. */
export const contextOf = ({ bot, event, conversation }: EventContext): BotContext => ({
  botId: bot.id,
  eventId: event.id,
  eventType: event.type,
  conversationId: conversation.id,
});

const contexts = new AsyncLocalStorage<BotContext>();

/** Runs bot code in a context. */
export const runBotCode = <T>(context: BotContext, work: () => T): T => contexts.run(context, work);

/** The addresses of the loaded modules, as they are written in stacks. */
const modules = new Set<string>();

/** Registers a module, whose errors are recognized by their stack where the context is lost. */
export const rememberModule = (href: string): unknown => modules.add(href);

/**
 * The context of the code that caused an uncaught error or an unhandled rejection; undefined for code of the server. Node
 * 20 loses the context of microtasks, so the stack is searched for modules of bots too.
 */
export function botContextOf(error: unknown): BotContext | undefined {
  const context = contexts.getStore();
  if (context) return context;
  let stack: unknown;
  try {
    stack = (error as Error | undefined)?.stack;
  } catch {
    return undefined;
  }
  if (typeof stack !== 'string') return undefined;
  for (const href of modules) if (stack.includes(`${href}:`)) return { module: href };
  return undefined;
}
