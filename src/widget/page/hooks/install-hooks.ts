// Installs the hooks of the page around a session, and its tools, context and blocks, if there are some or a tool of an earlier page
// has a result.
import type { SessionInternals } from '../../chat/session/context.ts';
import { hasBegunTool } from '../../chat/session/stored-tools.ts';
import { hasOffers } from '../tools/offer.ts';
import { installPageTools } from '../tools/page-tools.ts';
import { installHooks as installPlainHooks } from './hooks.tsx';

/** Can be called repeatedly. */
export async function installHooks(internals: SessionInternals): Promise<void> {
  const { widget } = internals;
  // A message without the offer is better than none.
  if (hasOffers(widget) || hasBegunTool(widget)) installPageTools(internals);
  installPlainHooks(internals);
}
