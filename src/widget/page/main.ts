// The entry point of the page bundle: the user, the hooks and the tools of the page. Loaded if the page sets one of them, or if
// the tab has begun a tool on an earlier page.
export { renderMessage } from './hooks/hooks.tsx';
export { installHooks } from './hooks/install-hooks.ts';
export { createPageUser } from './user/page-user.ts';
