// @vitest-environment jsdom
// Tests which links of messages open in the tab of the page, and that a window over the whole page closes then.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Widget } from '../launcher-chat-interface.ts';
import { followPageLinks } from './page-links.ts';

const frame = document.createElement('section');
const close = vi.fn();
let end: AbortController;

beforeEach(() => {
  end = new AbortController();
  history.replaceState(null, '', '/shop?page=1#returns');
  followPageLinks({ frame, close, signal: end.signal } as unknown as Widget);
});
afterEach(() => {
  end.abort();
  document.body.inert = false;
  vi.clearAllMocks();
});

function linkTo(href: string, title = 'opens in a new tab') {
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank', innerHTML: '<em>part</em>' });
  if (title) link.title = title;
  frame.replaceChildren(link);
  return link;
}
/** Returns the target and the title of a link after an event in it. */
function reach(link: HTMLAnchorElement, type = 'click') {
  link.firstElementChild?.dispatchEvent(new Event(type, { bubbles: true }));
  return [link.target, link.title];
}

test.each([
  ['/shop?page=1#delivery', true],
  ['/shop?page=1#/a/route', true],
  ['/shop?page=1#returns', true],
  ['/shop?page=1', false],
  ['/shop?page=1#', false],
  ['/shop?page=2#delivery', false],
  ['/shop#delivery', false],
  ['/#delivery', false],
  ['https://elsewhere.test/shop?page=1#delivery', false],
  ['mailto:shop@example.com#delivery', false],
])('a link to %s opens in the same tab: %s', (href, isOfPage) => {
  for (const type of ['pointerover', 'focusin', 'click']) {
    const expected = isOfPage ? ['_self', ''] : ['_blank', 'opens in a new tab'];
    expect(reach(linkTo(href), type)).toEqual(expected);
  }
});

test('a link opens a new tab again when the page has another address', () => {
  const link = linkTo(new URL('#delivery', location.href).href);
  expect(reach(link)[0]).toBe('_self');
  history.replaceState(null, '', '/elsewhere');
  expect(reach(link)[0]).toBe('_blank');
});

test('a link of the site, whose words say that it opens a new tab, is not changed', () => {
  expect(reach(linkTo('#privacy', ''))).toEqual(['_blank', '']);
});

test('only a click closes the window, and only if it covers the page', () => {
  reach(linkTo('#delivery'));
  expect(close).not.toHaveBeenCalled();
  document.body.inert = true;
  reach(linkTo('#delivery'), 'focusin');
  reach(linkTo('/elsewhere#delivery'));
  expect(close).not.toHaveBeenCalled();
  reach(linkTo('#delivery'));
  expect(close).toHaveBeenCalledOnce();
});
