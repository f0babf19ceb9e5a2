// @vitest-environment jsdom
// Tests the controls in Markdown: copying and coloring code, loading pictures, updates in place.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { contrast, parseHex } from '../launcher/theme.ts';
import { readCode } from './highlight.ts';
import { morph } from './morph.ts';
import { mount } from './testing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('code', () => {
  const shown = () => {
    const { host, view } = mount();
    view.update('```js\nlet a = "*b*";\n```', false);
    return { host, button: host.querySelector('.copy') as HTMLButtonElement };
  };

  test('is copied exactly, and the button confirms it for two seconds', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const { button } = shown();
    button.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(writeText).toHaveBeenCalledWith('let a = "*b*";');
    expect(button.textContent).toBe('Copied');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(button.textContent).toBe('Copy');
  });

  test.each([
    ['refused', { clipboard: { writeText: () => Promise.reject(new Error('no')) } }],
    ['missing', {}],
  ])('if the clipboard is %s, it is copied by a selection, which is then restored', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    const { host, button } = shown();
    let copied = '';
    document.execCommand = vi.fn(() => {
      copied = String(document.getSelection());
      return true;
    });
    const name = host.querySelector('.code-name') as Element;
    document.getSelection()?.selectAllChildren(name);
    button.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(copied).toBe('let a = "*b*";');
    expect(button.textContent).toBe('Copied');
    expect(String(document.getSelection())).toBe('js');
  });

  test('is colored when it is finished, with the same text', async () => {
    vi.useRealTimers();
    const { host } = shown();
    await waitFor(() => expect(host.querySelector('code .syn-kwd')?.textContent).toBe('let'));
    expect(host.querySelector('code')?.textContent).toBe('let a = "*b*";');
  });

  test.each([
    ['bash', 'cd /tmp && echo "$HOME" # home'],
    ['c', '#include <a.h>\nint main() { return 0; }'],
    ['css', 'a { color: #fff; }'],
    ['diff', '+a\n-b\n c'],
    ['go', 'func main() { x := "a" }'],
    ['html', '<a href="x">&amp;</a><script>let a = 1</script>'],
    ['java', 'public class A { int a = 1; }'],
    ['js', 'const a = "b"; // c'],
    ['json', '{"a": [1, true, null]}'],
    ['py', 'def a(): return "b" # c'],
    ['rs', 'fn main() { let a = 1; }'],
    ['sql', "SELECT count(a) FROM b WHERE c = 'd' -- e"],
    ['ts', 'type A = string | 1; // b'],
    ['yaml', 'a: 1\nb:\n  - "c" # d'],
  ] as const)('%s is split into tokens, and no text is lost', (grammar, code) => {
    const pieces = readCode(code, grammar);
    expect(pieces.map(({ text }) => text).join('')).toBe(code);
    expect(pieces.filter(({ kind }) => kind).length).toBeGreaterThan(1);
  });
});

test('the colors of code have sufficient contrast, light and dark', () => {
  const css = readFileSync(`${import.meta.dirname}/markdown.css`, 'utf8');
  const colors = [...css.matchAll(/--syn-\w+: (#\w{6})/g)].map(([, hex = '']) => parseHex(hex));
  expect(colors).toHaveLength(10);
  for (const [i, color] of colors.entries()) {
    const ground = parseHex(i < 5 ? '#ffffff' : '#16181d');
    expect(contrast(color, ground)).toBeGreaterThan(4.5);
  }
});

describe('pictures', () => {
  const picture = '![a cat](https://a.test/cat.png)';
  const image = (host: HTMLElement) => host.querySelector('img');

  test('wait for a click on a button with the name of the server, next to a plain link', () => {
    const { host, view } = mount();
    view.update(picture, false);
    expect(image(host)).toBeNull();
    const button = host.querySelector('button') as HTMLButtonElement;
    expect(button.textContent).toBe('Show picture from a.test');
    expect(host.querySelector('a')?.outerHTML).toContain('href="https://a.test/cat.png"');
    expect(host.querySelector('a')?.textContent).toBe('a cat');
    button.click();
    const attributes = Object.fromEntries(
      [...(image(host)?.attributes ?? [])].map(({ name, value }) => [name, value]),
    );
    expect(attributes).toMatchObject({
      alt: 'a cat',
      src: 'https://a.test/cat.png',
      loading: 'lazy',
      referrerpolicy: 'no-referrer',
    });
    // It stays after another rendering.
    view.update(`${picture} and`, false);
    expect(image(host)).not.toBeNull();
  });

  test.each([
    ['all', [], true],
    ['listed', ['https://a.test'], true],
    ['listed', ['https://b.test'], false],
    ['listed', ['http://a.test', 'https://a.test:8443', 'https://test', 'a.test'], false],
    ['click', ['https://a.test'], false],
  ] as const)('%s with %j', (images, imageOrigins, isLoaded) => {
    const { host, view } = mount({ images, imageOrigins });
    view.update(picture, false);
    expect(image(host) !== null).toBe(isLoaded);
  });

  test.each([
    ...[
      'data:image/svg+xml,x',
      'javascript:alert(1)',
      '/relative.png',
      '//a.test/x.png',
      'ftp://a.test/x.png',
    ],
    ...['blob:https://a.test/1', 'https:///', 'https://', 'http:a.test', 'cid:1'],
  ])('from %s are never loaded', (address) => {
    const { host, view } = mount({ images: 'all' });
    view.update(`![a cat](${address})`, false);
    expect(image(host)).toBeNull();
    expect(host.querySelector('button')).toBeNull();
    expect(host.textContent).toContain('a cat');
  });

  test('that cannot be shown are links with their names', () => {
    const { host, view } = mount({ images: 'all' });
    view.update(`${picture} ![](https://a.test/dir/dog.png)`, true);
    for (const broken of host.querySelectorAll('img')) broken.dispatchEvent(new Event('error'));
    expect([...host.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['a cat', 'dog.png']);
    view.update(`${picture} ![](https://a.test/dir/dog.png) more`, false);
    expect(image(host)).toBeNull();
  });

  test('reserve their space until they have loaded, and keep their element while text streams', () => {
    const { host, view } = mount({ images: 'all' });
    view.update(`${picture} a`, true);
    const element = image(host);
    expect(element?.className).toBe('image loading');
    element?.dispatchEvent(new Event('load'));
    view.update(`${picture} a b`, false);
    expect(image(host)).toBe(element);
    expect(element?.className).toBe('image');
  });
});

describe('updates in place', () => {
  const make = (html: string) => {
    const box = document.createElement('div');
    box.innerHTML = html;
    return box;
  };

  test.each([
    ['<p>a</p>', '<p>a b</p>'],
    ['<p>a</p>', '<p>b</p>'],
    ['<p>a <b>c</b></p>', '<p>a <i>c</i> d</p>'],
    ['<ul><li>a</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<p>a</p><p>b</p>', '<p>a</p>'],
    ['', '<p>a</p>'],
    ['<p>a</p>', ''],
    ['<a href="x" title="y">a</a>', '<a href="z" rel="r">a</a>'],
  ])('%s to %s', (from, to) => {
    const box = make(from);
    const firstChild = box.firstElementChild;
    const nodes = morph(box, [...box.childNodes], [...make(to).childNodes]);
    expect(box.innerHTML).toBe(to);
    expect(nodes).toEqual([...box.childNodes]);
    if (firstChild && to) expect(box.firstElementChild).toBe(firstChild);
  });
});
