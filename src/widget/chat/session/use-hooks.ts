// Loads the code that runs the hooks of the page, if it has some. Nothing is sent or received before it is there.
import { pageUser } from '../bundles.ts';
import type { SessionInternals } from './context.ts';
import { hasBegunTool } from './stored-tools.ts';

export { forgetTools } from './stored-tools.ts';

/** Puts the hooks of the page around the session. Rejects with chunk_failed. */
export async function useHooks(internals: SessionInternals): Promise<void> {
  const { widget } = internals;
  const install = async () => (await pageUser.get()).installHooks(internals);
  if (widget.hooks.size) return install();
  // A tool that an earlier page has begun does not stop the chat of this one.
  if (hasBegunTool(widget)) return install().catch(() => {});
  return undefined;
}
