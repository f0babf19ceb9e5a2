// The sidebar on narrow screens: a drawer above the page. Without this script it stands below the text, where the button leads.

export function addMenu(): void {
  const button = document.querySelector<HTMLAnchorElement>('[data-menu]');
  const sidebar = document.querySelector<HTMLElement>('#menu');
  if (!button || !sidebar) return;
  const narrow = matchMedia('(max-width: 899px)');
  const rest = document.querySelectorAll<HTMLElement>('main, .toc, footer');
  document.documentElement.dataset.script = '';
  button.setAttribute('role', 'button');
  button.setAttribute('aria-controls', 'menu');

  let isOpen = false;
  const show = (next: boolean) => {
    isOpen = next && narrow.matches;
    document.documentElement.toggleAttribute('data-menu-open', isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
    for (const part of rest) part.inert = isOpen;
  };
  const toggle = () => {
    show(!isOpen);
    if (isOpen)
      (sidebar.querySelector<HTMLElement>('[aria-current]') ?? sidebar.querySelector('summary'))?.focus();
  };
  button.addEventListener('click', (event) => {
    event.preventDefault();
    toggle();
  });
  button.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    toggle();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen) return;
    show(false);
    button.focus();
  });
  narrow.addEventListener('change', () => show(false));
  // A link of the same page closes the menu, too.
  sidebar.addEventListener('click', (event) => {
    if ((event.target as HTMLElement).closest('a')) show(false);
  });
  show(false);
}
