// The proactive message: a few words beside the launcher of a closed chat. Plain DOM, so that it comes without the chat.
import type { Modules } from '../seam.ts';
import css from './greeting.css?inline';
import { words } from './words.ts';

export const greet: Modules['greeting']['greet'] = (shell, text) => {
  const { box, signal, storage } = shell;
  box.querySelector('.greeting')?.remove();
  shell.adopt('greeting', css);

  const greeting = document.createElement('div');
  greeting.className = 'greeting';
  greeting.part.add('greeting');
  // What comes into it once it stands there is read aloud, without taking the focus.
  greeting.setAttribute('role', 'status');
  box.append(greeting);

  const end = () => {
    off();
    greeting.remove();
  };
  const off = shell.on('webchat:opened', end);
  signal.addEventListener('abort', end);

  const message = button('greeting-text', text);
  message.dir = 'auto';
  message.addEventListener('click', () => shell.open());
  const dismiss = button('greeting-close', '×');
  dismiss.setAttribute('aria-label', words.dismiss);
  dismiss.addEventListener('click', () => {
    storage.write({ isGreeted: true });
    end();
    // The button is gone; the focus must not fall to the page.
    box.querySelector<HTMLElement>('.launcher')?.focus();
  });
  requestAnimationFrame(() => greeting.append(message, dismiss));
};

function button(name: string, text: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = name;
  made.textContent = text;
  return made;
}
