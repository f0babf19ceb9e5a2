// A button on each block of code that copies it. The code of a shell has no prompt, so it is copied as it is shown.

/** Milliseconds until the button offers to copy again. */
const shownMs = 1_500;

export function addCopyButtons(root: ParentNode = document): void {
  for (const block of root.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, block.querySelector('code')?.textContent ?? ''));
    block.append(button);
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Not a secure context, or not allowed: the reader can select the text.
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, shownMs);
}
