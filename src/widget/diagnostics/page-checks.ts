// Checks whether the visitor can see and reach the chat: the host, and in it the launcher or the open window.
import type { Finding } from '../../protocol/page-api/page-api.ts';
import type { Widget } from '../launcher-chat-interface.ts';
import { finding } from './findings.ts';

/** Checks the rectangle of the launcher or window in the viewport, and the elements above it. */
export function checkPage({ box, frame, isOpen }: Widget, isEmbedded: boolean): Finding[] {
  if (!box.isConnected) return [finding('host_removed', '<platform-webchat> is not in the page any more.')];
  const root = box.getRootNode() as ShadowRoot;
  const hasWindow = isOpen || isEmbedded;
  const launcher = box.querySelector<HTMLElement>('.launcher');
  if (!hasWindow && launcher?.hidden) return checkOpeners(box.hasAttribute('data-hidden'));
  // An embedded chat opens when the visitor scrolls to it.
  const element = isOpen ? frame : isEmbedded ? (root.host as HTMLElement) : launcher;
  if (!element) return [finding('host_removed', 'The launcher is not in <platform-webchat> any more.')];
  const name = hasWindow ? 'window' : 'launcher';
  const hidden = whyHidden(element, root.host);
  if (hidden) return [finding('launcher_hidden', `The ${name} is not to be seen: ${hidden}.`)];
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isOutside = x < 0 || y < 0 || x >= innerWidth || y >= innerHeight;
  // An embedded chat scrolls with the page.
  if (isOutside && isEmbedded) return [];
  const cause = whyInert(root.host);
  if (cause) return [finding('launcher_inert', `The ${name} cannot be used: ${cause}.`)];
  const position = `${Math.round(x)}, ${Math.round(y)}`;
  if (isOutside) {
    return [
      finding(
        'launcher_outside',
        `The ${name} lies at ${position}, the page is ${innerWidth} by ${innerHeight}.`,
      ),
    ];
  }
  const top_ = document.elementFromPoint(x, y);
  if (top_ === root.host) return [];
  return [finding('launcher_covered', `At ${position}, over the ${name}, lies ${describe(top_)}.`)];
}

/** The attribute or the modal dialog that makes the host inert; `elementFromPoint` would name what is below the chat. */
function whyInert(host: Element): string | undefined {
  const inert = host.closest('[inert]');
  if (inert) return `inert is set on ${describe(inert)}`;
  const dialog = [...document.querySelectorAll('dialog:modal')].find((modal) => !modal.contains(host));
  // A dialog below the one that contains the chat does not make it inert.
  if (!dialog || host.closest('dialog:modal')) return undefined;
  return `the modal dialog ${describe(dialog)} is open, and the chat is not in it`;
}

/** @param isHidden the page has called `platform.hide()`. */
function checkOpeners(isHidden: boolean): Finding[] {
  if (document.querySelector('[data-platform-open]')) return [];
  const cause = isHidden ? 'platform.hide() was called' : 'launcher is false';
  return [finding('launcher_off', `${cause}, and the page has no element with data-platform-open.`)];
}

/** The first CSS property that hides the element, searched from the element outwards. */
function whyHidden(element: HTMLElement, host: Element): string | undefined {
  for (let at: Element | null = element; at; at = at.parentElement ?? (at === host ? null : host)) {
    const { display, visibility, opacity } = getComputedStyle(at);
    if (display === 'none') return `display is none on ${describe(at)}`;
    if (visibility !== 'visible') return `visibility is ${visibility} on ${describe(at)}`;
    if (Number(opacity) === 0) return `opacity is 0 on ${describe(at)}`;
    if (at === host) break;
  }
  const { width, height } = element.getBoundingClientRect();
  return width && height ? undefined : `${describe(element)} is ${width} by ${height} pixels`;
}

/** The start tag of an element: `<div id="cookies" class="bar">`. */
export function describe(element: Element | null): string {
  if (!element) return 'nothing';
  const attributes = ['id', 'class', 'part'].flatMap((name) => {
    const value = element.getAttribute(name);
    return value ? [` ${name}="${value.slice(0, 60)}"`] : [];
  });
  return `<${element.localName}${attributes.join('')}>`;
}
