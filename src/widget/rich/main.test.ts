// @vitest-environment jsdom
// Tests Markdown: what it shows, and that nothing hostile in it lives on in the page.
import { beforeEach, describe, expect, test } from 'vitest';
import { markdownToHtml } from './main.ts';

let host: HTMLElement;
beforeEach(() => {
  document.body.replaceChildren();
  host = document.createElement('div');
  document.body.append(host);
});
function show(markdown: string): HTMLElement {
  host.innerHTML = markdownToHtml(markdown);
  return host;
}
const html = (markdown: string) => markdownToHtml(markdown).replace(/>\n+</g, '><').trim();

describe('shows', () => {
  test.each([
    ['a\nb', '<p>a<br>b</p>'],
    ['a\n\nb', '<p>a</p><p>b</p>'],
    ['**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['# a', '<h1>a</h1>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['3. a', '<ol start="3"><li>a</li></ol>'],
    ['```js\nlet a = "<b>";\n```', '<pre><code>let a = "&lt;b&gt;";\n</code></pre>'],
    ['---', '<hr>'],
    [
      '|a|b|\n|:-|-:|\n|1|2|',
      '<table><thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>' +
        '<tbody><tr><td align="left">1</td><td align="right">2</td></tr></tbody></table>',
    ],
    ['&lt;b&gt; &amp; 5 < 6', '<p>&lt;b&gt; &amp; 5 &lt; 6</p>'],
    ['', ''],
  ])('%j', (markdown, expected) => expect(html(markdown)).toBe(expected));

  test.each([
    ['[a](https://a.test/x)', 'a', 'https://a.test/x'],
    ['[a](http://a.test "title")', 'a', 'http://a.test'],
    ['<https://a.test>', 'https://a.test', 'https://a.test'],
    ['https://a.test', 'https://a.test', 'https://a.test'],
    ['[a](mailto:me@a.test)', 'a', 'mailto:me@a.test'],
    ['[a](tel:+123)', 'a', 'tel:+123'],
    ['[a][1]\n\n[1]: https://a.test', 'a', 'https://a.test'],
    // Pictures are not loaded from anywhere; who wants to see one opens it.
    ['![a cat](https://a.test/cat.png)', 'a cat', 'https://a.test/cat.png'],
    ['![](https://a.test/cat.png)', 'https://a.test/cat.png', 'https://a.test/cat.png'],
    ['[![a cat](https://a.test/cat.png)](https://a.test)', 'a cat', 'https://a.test'],
  ])('the link %s, in a new tab and without a way back', (markdown, text, href) => {
    const link = show(markdown).querySelector('a');
    expect(link?.textContent).toBe(text);
    expect(Object.fromEntries([...(link?.attributes ?? [])].map(({ name, value }) => [name, value]))).toEqual(
      {
        href,
        target: '_blank',
        rel: 'noopener noreferrer',
      },
    );
    expect(host.querySelectorAll('a').length).toBe(1);
  });

  test.each([
    '<b>bold</b>',
    '<div>\nblock\n</div>',
    'a <span onclick="x()">b</span>',
    '<script>alert(1)</script>',
    '<!-- comment -->',
    '<?php x ?>',
    '<![CDATA[x]]>',
  ])('raw HTML as the text it is: %s', (markdown) => {
    expect(show(markdown).textContent?.trim()).toBe(markdown.replaceAll('\n', ''));
    expect(host.querySelector('b, div, span, script')).toBeNull();
  });
});

/** Tags and attributes that may be in the page; whatever else is there is a hole. */
const tags = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code strong em del a ul ol li table thead tbody tr th td'.split(
    ' ',
  ),
);
const attributes = new Set(['href', 'target', 'rel', 'start', 'align']);

function expectInert(markdown: string): void {
  show(markdown);
  for (const element of host.querySelectorAll('*')) {
    expect(tags, element.outerHTML).toContain(element.localName);
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    for (const { name, value } of element.attributes) {
      expect(attributes, element.outerHTML).toContain(name);
      if (name === 'href') expect(value, element.outerHTML).toMatch(/^(https?|mailto|tel):/i);
      if (name === 'target') expect(value).toBe('_blank');
      if (name === 'align') expect(value).toMatch(/^(left|right|center)$/);
      if (name === 'start') expect(value).toMatch(/^\d+$/);
    }
  }
}

const control = String.fromCharCode(1);
const hostile = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img srcset="x 1x" sizes=1 onerror=alert(1)>',
  '<picture><source srcset=x onerror=alert(1)></picture>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=alert(1)>">',
  '<math href="javascript:alert(1)">x</math>',
  '<style>*{display:none}</style>',
  '<p style="position:fixed;inset:0">x</p>',
  '<link rel=stylesheet href=//a.test>',
  '<base href=//a.test>',
  '<meta http-equiv=refresh content="0;url=//a.test">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src=x>',
  '<form action="//a.test"><input name=password autofocus onfocus=alert(1)><button>x</button></form>',
  '<textarea></p><img src=x onerror=alert(1)></textarea>',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<a id=platform name=platform href="https://a.test">x</a>',
  '<img name=currentScript><img id=cookie name=getElementById>',
  '<custom-element is=x onclick=alert(1)>x</custom-element>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](  javascript:alert(1))',
  '[x](java&#x73;cript:alert(1))',
  '[x](java&#115;cript&colon;alert(1))',
  '[x](javascript&#58;alert(1))',
  '[x](&#1;javascript:alert(1))',
  `[x](${control}javascript:alert(1))`,
  '[x](java&Tab;script:alert(1))',
  '[x](java%0ascript:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](DATA:text/html;base64,PHNjcmlwdD4=)',
  '[x](blob:https://a.test/1)',
  '[x](file:///etc/passwd)',
  '[x](/relative)',
  '[x](//a.test)',
  '[x](#hash)',
  '<javascript:alert(1)>',
  '[x]\n\n[x]: javascript:alert(1)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x"onerror="alert(1)](https://a.test/"onerror="alert(1))',
  '[x](https://a.test/"onmouseover="alert(1))',
  '[x](https://a.test "t\\" onmouseover=alert(1) x=\\"")',
  '`<img src=x onerror=alert(1)>`',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '```html\n</code></pre><img src=x onerror=alert(1)>\n```',
  '|<img src=x onerror=alert(1)>|\n|-|\n|<script>alert(1)</script>|',
  '# <img src=x onerror=alert(1)>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '\\<img src=x onerror=alert(1)>',
  '<<img src=x onerror=alert(1)>>',
  '<a href="https://a.test" target=_self rel=opener ping=//b.test>x</a>',
  '- [ ] <input type=checkbox onclick=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<p\u00a0onclick=alert(1)>x</p>',
  '\u0000<script>alert(1)</script>',
];

describe('what is hostile is inert', () => {
  test.each(hostile)('%s', (markdown) => expectInert(markdown));
  test('all of it together', () => expectInert(hostile.join('\n\n')));
  test('all of it in a list and a quote', () => expectInert(hostile.map((line) => `> - ${line}`).join('\n')));

  test('a harmless link has no address left when its scheme is none of ours, and keeps its text', () => {
    expect(html('[x](javascript:alert(1))')).toBe('<p><a>x</a></p>');
  });

  test('an allow-list that drops nothing would be noticed here', () => {
    expect(() => {
      host.innerHTML = '<p id="x">';
      expect([...attributes]).toContain(host.querySelector('p')?.attributes[0]?.name);
    }).toThrow();
  });
});

test.each([
  ['quotes', '> '.repeat(20_000)],
  ['lists', `${'- '.repeat(3_000)}x`],
  ['emphasis', '*a '.repeat(10_000)],
  ['brackets', '['.repeat(20_000)],
  ['links', '[a]('.repeat(10_000)],
])('very deep %s are shown, as Markdown or as they are, and do not throw', (_, markdown) => {
  expect(typeof markdownToHtml(markdown)).toBe('string');
});

test('too deep to be Markdown, it is text, still cleaned', () => {
  const markdown = `${'> '.repeat(20_000)}<img src=x onerror=alert(1)>&amp;`;
  expectInert(markdown);
  expect(host.textContent).toBe(markdown);
});
