// The Escape key ends what is active in the composer, before it closes the window.

/** Calls `act` for Escape anywhere in the form, until the returned function is called. */
export function onEscape(form: HTMLFormElement | null | undefined, act: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  form?.addEventListener('keydown', onKeyDown);
  return () => form?.removeEventListener('keydown', onKeyDown);
}
