// Puts what the page has added to the chat around a session: its hooks, and its tools, context and blocks, whose code is loaded if
// there are some, or if a tool of an earlier page has a result.
import type { SessionInternals } from '../../chat/session/context.ts';
import { hasBegunTool } from '../../chat/session/stored-tools.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { installPageTools } from '../tools/page-tools.ts';
import { installHooks as installPlainHooks } from './hooks.tsx';
import { registeredBlocks } from './page-blocks.ts';
import { callPage, hookError } from './page-callback.ts';

const hasOffers = ({ hooks }: Widget): boolean =>
  [...hooks].some(({ tool, context, block, foreign }) => tool || context || block || foreign);

/** Can be called repeatedly. */
export async function installHooks(internals: SessionInternals): Promise<void> {
  const { widget } = internals;
  // A message without the offer is better than none.
  if (hasOffers(widget) || hasBegunTool(widget)) {
    const shared = { callPage, hasOffers, hookError, registeredBlocks };
    installPageTools(internals, shared);
  }
  installPlainHooks(internals);
}
