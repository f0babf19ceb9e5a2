// Keeps the page in the frame of a live chat in the mode of the page around it, also when the reader or the system changes it.

/** Returns the function that ends this. */
export function followGround(frame: HTMLIFrameElement): () => void {
  const { documentElement: root } = document;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const page = frame.contentDocument?.documentElement;
    const { theme } = root.dataset;
    const isDark = theme ? theme === 'dark' : system.matches;
    // The chat follows its page (`themeMode: 'page'`).
    if (page) page.dataset.ground = isDark ? 'dark' : 'light';
  };
  const observer = new MutationObserver(apply);
  observer.observe(root, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', apply);
  apply();
  return () => {
    observer.disconnect();
    system.removeEventListener('change', apply);
  };
}
