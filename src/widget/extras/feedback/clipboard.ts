// Puts text into the clipboard, also where the browser has no clipboard API (http pages, frames without permission).

/** @param near an element beside which a text box may stand for a moment, in the same shadow root. */
export async function copyText(text: string, near: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = document.createElement('textarea');
    box.value = text;
    box.className = 'visually-hidden';
    near.after(box);
    box.select();
    const isDone = document.execCommand('copy');
    box.remove();
    (near as HTMLElement).focus();
    if (!isDone) throw new Error('The browser does not copy here.');
  }
}
