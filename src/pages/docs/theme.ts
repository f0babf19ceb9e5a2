// Applies the theme that the reader has chosen, before the page is drawn. Without a choice, the page follows the system.
{
  let theme: string | null = null;
  try {
    theme = localStorage.getItem('docs-theme');
  } catch {
    // A browser that stores nothing: the theme of the system.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
