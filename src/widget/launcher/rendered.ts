// The launcher that the page's own server has rendered (packages/widget/server.ts).

/** Removes it, because the launcher of the script takes its place, with its focus. A click on it is kept: calls `open`. */
export function replaceRendered(button: HTMLElement, open: () => void): void {
  const rendered = document.querySelector('platform-webchat[data-rendered]');
  if (!rendered) return;
  const hadFocus = document.activeElement === rendered;
  rendered.remove();
  if (hadFocus) button.focus();
  if (rendered.shadowRoot?.querySelector('[open]')) open();
}
