// The button that changes between light and dark. The choice is kept in this browser.

export function addThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]');
  if (!button) return;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const isDark = () => (dataset.theme ? dataset.theme === 'dark' : system.matches);
  const show = () => button.setAttribute('aria-pressed', String(isDark()));
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    dataset.theme = theme;
    try {
      localStorage.setItem('docs-theme', theme);
    } catch {
      // The choice holds for this page.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}
