// The script of every page of the documentation: theme, menu of phones, copy buttons, the place in the table of contents. The search
// and the live chat are loaded when a reader asks for them. Without this script, pages are complete.
import '../../design/colors.css';
import '../../design/scale.css';
import './style/theme.css';
import './style/docs.css';
import { addCopyButtons } from './copy.ts';
import { addMenu } from './menu.ts';
import { markScrollers, watchHeadings } from './reading.ts';
import { addThemeButton } from './theme-button.ts';

addThemeButton();
addMenu();
addCopyButtons();
markScrollers();
watchHeadings();

for (const button of document.querySelectorAll<HTMLElement>('[data-search]')) {
  button.hidden = false;
  // A reader who reaches for the button will press it.
  button.addEventListener('pointerenter', () => void import('./search.ts'), { once: true });
  button.addEventListener('click', () => void openSearch());
}
addEventListener('keydown', (event) => {
  const isTyping = (event.target as HTMLElement).closest?.('input, textarea, select, [contenteditable]');
  const isShortcut =
    (event.key === 'k' && (event.metaKey || event.ctrlKey)) ||
    (event.key === '/' && !isTyping && !event.ctrlKey);
  if (!isShortcut) return;
  event.preventDefault();
  void openSearch();
});

async function openSearch(): Promise<void> {
  (await import('./search.ts')).open();
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-try-field], [data-try-payload]')) {
  button.hidden = false;
  button.addEventListener('click', async () => (await import('./try/panel.tsx')).openPanel(button));
}
const poster = document.querySelector<HTMLElement>('[data-live]');
poster?.querySelector('button')?.addEventListener('click', async () => {
  (await import('./live.ts')).startLive(poster);
});
