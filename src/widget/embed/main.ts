// The chat as a part of the page: fills an element, or the page itself, and has no launcher. It begins once it is seen.
import type { Modules } from '../seam.ts';
import css from './embed.css?inline';

export const embed: Modules['embed']['embed'] = (shell, target) => {
  const { frame, signal } = shell;
  const { host } = frame.getRootNode() as ShadowRoot;
  shell.adopt('embed', css);
  host.setAttribute('data-inline', target === document.body ? 'page' : 'element');
  target.append(host);
  // Not over the page but in it: nothing to close, and no dialog.
  frame.setAttribute('role', 'region');
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    shell.open();
  });
  observer.observe(host);
  signal.addEventListener('abort', () => observer.disconnect());
};
