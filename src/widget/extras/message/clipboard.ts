// Copies text to the clipboard, also without the clipboard API (http pages, frames without permission).

/** @param near an element next to which a temporary text box is inserted, in the same shadow root. */
export async function copyText(text: string, near: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = document.createElement('textarea');
    box.value = text;
    box.className = 'visually-hidden';
    near.parentNode?.insertBefore(box, near.nextSibling);
    box.select();
    const isDone = document.execCommand('copy');
    box.remove();
    (near as HTMLElement).focus();
    if (!isDone) throw new Error('The browser does not copy here.');
  }
}
