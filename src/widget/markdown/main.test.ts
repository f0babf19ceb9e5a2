// @vitest-environment jsdom
// Tests the rendering of Markdown, and that hostile content has no effect on the page.
import { describe, expect, test } from 'vitest';
import { mount, show } from './testing.ts';

const html = (markdown: string) => show(markdown).innerHTML.replace(/\n+(?=<)|(?<=>)\n+/g, '');
const external = ' target="_blank" rel="noopener noreferrer nofollow" title="opens in a new tab"';
const code = (name: string, text: string) =>
  `<div class="code"><div class="code-bar"><span class="code-name">${name}</span>` +
  '<button class="copy" type="button">Copy</button></div>' +
  `<pre tabindex="0" role="group" aria-label="${name}" dir="ltr"><code>${text}</code></pre></div>`;

describe('renders', () => {
  test.each([
    ['a\nb', '<p>a<br>b</p>'],
    ['a\r\nb\rc', '<p>a<br>b<br>c</p>'],
    ['a\n\nb', '<p>a</p><p>b</p>'],
    ['**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['# a', '<h3>a</h3>'],
    ['a\n===\nb\n---', '<h3>a</h3><h4>b</h4>'],
    ['a\n# b\nc', '<p>a</p><h3>b</h3><p>c</p>'],
    ['## a\n# b\n## c', '<h4 aria-level="3">a</h4><h3>b</h3><h4>c</h4>'],
    ['# a\n\n#### b\n## c', '<h3>a</h3><h6 aria-level="4">b</h6><h4>c</h4>'],
    [
      '#### a\n##### b\n###### c\n#### d',
      '<h6 aria-level="3">a</h6><h6 aria-level="4">b</h6><h6 aria-level="5">c</h6><h6 aria-level="3">d</h6>',
    ],
    ['> a\nb', '<blockquote><p>a<br>b</p></blockquote>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['- a\n\n  b\n\nc', '<ul><li><p>a</p><p>b</p></li></ul><p>c</p>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['3. a', '<ol start="3"><li>a</li></ol>'],
    ['9. a\n1. b', '<ol start="9" class="digits-2"><li>a</li><li>b</li></ol>'],
    [
      '999999999. a\n1. b\n\n   1. c',
      '<ol start="999999999" class="digits-10"><li><p>a</p></li><li><p>b</p><ol><li>c</li></ol></li></ol>',
    ],
    [
      '- [x] a\n- [ ] b',
      '<ul><li class="task"><a rel="" class="check done">☑</a> a</li>' +
        '<li class="task"><a rel="" class="check">☐</a> b</li></ul>',
    ],
    [
      '- [ ] **a**\n\n  b',
      '<ul><li class="task"><p><a rel="" class="check">☐</a> <strong>a</strong></p><p>b</p></li></ul>',
    ],
    ['```js\nlet a = "<b>";\n```', code('js', 'let a = "&lt;b&gt;";')],
    ['```\na\n\n# b\n```\nc', `${code('Code', 'a\n\n# b')}<p>c</p>`],
    ['~~~\na\n```\nb', code('Code', 'a\n```\nb')],
    ['    a\n\n    b', code('Code', 'a\n\nb')],
    ['- a\n  ```ts\n  b\n  ```', `<ul><li>a${code('ts', 'b')}</li></ul>`],
    ['---', '<hr>'],
    ['a\n***\nb', '<p>a</p><hr><p>b</p>'],
    [
      '|a|b|\n|:-|-:|\n|1|2|',
      '<div class="table" tabindex="0" role="group" aria-label="a, b">' +
        '<table><thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>' +
        '<tbody><tr><td align="left">1</td><td align="right">2</td></tr></tbody></table></div>',
    ],
    ['&lt;b&gt; &amp; 5 < 6', '<p>&lt;b&gt; &amp; 5 &lt; 6</p>'],
    ['a\0b', '<p>a\ufffdb</p>'],
    ['', ''],
    ['\n \n', ''],
  ])('%j', (markdown, expected) => expect(html(markdown)).toBe(expected));

  test.each([
    ['**注意：**请先登录', '<strong>注意：</strong>请先登录'],
    ['これは**「重要」**です', 'これは<strong>「重要」</strong>です'],
    ['문서는 **마크다운(Markdown)**을', '문서는 <strong>마크다운(Markdown)</strong>을'],
    ['请看**(重要)**内容', '请看<strong>(重要)</strong>内容'],
    ['**“引号”**的*（斜体）*字', '<strong>“引号”</strong>的<em>（斜体）</em>字'],
    ['***「両方」***です', '<em><strong>「両方」</strong></em>です'],
    [
      '点**`code`**和**[链接](https://a.test)**。',
      /^点<strong><code>code<\/code><\/strong>和<strong><a .*<\/a><\/strong>。$/,
    ],
    ['**価格：$100。**税込', '<strong>価格：$100。</strong>税込'],
    ['旧~~（削除）~~新', '旧<del>（削除）</del>新'],
    ['**~~「旧」~~**は', '<strong><del>「旧」</del></strong>は'],
    ['**「_x_」**です', '<strong>「<em>x</em>」</strong>です'],
    ['**คำเตือน:**โปรด', '<strong>คำเตือน:</strong>โปรด'],
    ['**ចំណាំ៖**សូម', '<strong>ចំណាំ៖</strong>សូម'],
    ['**ໝາຍເຫດ:**ກະລຸນາ', '<strong>ໝາຍເຫດ:</strong>ກະລຸນາ'],
    ['𠮷**(x)**𠮷', '𠮷<strong>(x)</strong>𠮷'],
    ['**重要😀**です', '<strong>重要😀</strong>です'],
    ['2 * 3 * 4、** 五 **', '2 * 3 * 4、** 五 **'],
    ['a**(b)**c', 'a**(b)**c'],
    ['日本_語_です', '日本_語_です'],
    ['、_重要_ です', '、<em>重要</em> です'],
    ['\\*「星」\\*です', '*「星」*です'],
  ])('emphasis without spaces around it: %j', (markdown, expected) => {
    const shown = html(markdown).replace(/^<p>|<\/p>$/g, '');
    if (typeof expected === 'string') expect(shown).toBe(expected);
    else expect(shown).toMatch(expected);
  });

  test.each([
    ['请看https://a.test/x。谢谢', 'https://a.test/x'],
    ['（https://a.test/x）', 'https://a.test/x'],
    ['请看www.a.test，谢谢', 'www.a.test'],
    ['邮箱me@a.test。', 'me@a.test'],
    ['https://a.test/x입니다', 'https://a.test/x'],
  ])('the address of %j without what follows it', (markdown, text) => {
    const host = show(markdown);
    expect([...host.querySelectorAll('a')].map((link) => link.textContent)).toEqual([text]);
    expect(host.textContent).toBe(markdown);
  });

  test.each([
    ['[a](https://a.test/x)', 'a', 'https://a.test/x'],
    ['[a](http://a.test "title")', 'a', 'http://a.test'],
    ['[a](https://a.test?b=1&amp;c=2&d=3)', 'a', 'https://a.test?b=1&c=2&d=3'],
    ['<https://a.test>', 'https://a.test', 'https://a.test'],
    ['https://a.test', 'https://a.test', 'https://a.test'],
    ['[https://b.test](https://a.test)', 'https://b.test', 'https://a.test'],
    ['[a](mailto:me@a.test)', 'a', 'mailto:me@a.test'],
    ['[a](tel:+123)', 'a', 'tel:+123'],
    ['[a][1]\n\n[1]: https://a.test', 'a', 'https://a.test'],
    ['[![a cat](https://a.test/cat.png)](https://a.test)', 'a cat', 'https://a.test'],
  ])('the link %s, in a new tab and without `opener`', (markdown, text, href) => {
    const host = show(markdown);
    const link = host.querySelector('a');
    expect(link?.textContent).toBe(text);
    expect(link?.outerHTML).toBe(
      `<a href="${href.replaceAll('&', '&amp;')}"${external}>${link?.innerHTML}</a>`,
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
  ])('raw HTML as text: %s', (markdown) => {
    const host = show(markdown);
    expect(host.textContent?.trim()).toBe(markdown.replaceAll('\n', ''));
    expect(host.querySelector('b, div, span, script')).toBeNull();
  });

  test('only inline text, if blocks are disabled', () => {
    const host = show('# *a*\n- [b](https://a.test) ![c](https://a.test/c.png)', { inlineOnly: true });
    expect(host.querySelector('h1, h3, ul, p, img, .code, .table')).toBeNull();
    expect(host.querySelector('em')?.textContent).toBe('a');
    expect(host.textContent).toContain('- b');
  });

  test('links to later definitions, once the text has ended', () => {
    const host = show('[a] and [b]\n\n# [a]\n\n[a]: https://a.test\n[a]: https://no.test');
    expect([...host.querySelectorAll('a')].map((link) => link.href)).toEqual([
      'https://a.test/',
      'https://a.test/',
    ]);
    expect(host.textContent).toContain('[b]');
  });
});

/** The allowed elements and attributes with their allowed values; anything else is a vulnerability. */
const tags = new Set(
  'p br hr h3 h4 h5 h6 blockquote pre code strong em del a ul ol li table thead tbody tr th td div span button'.split(
    ' ',
  ),
);
const attributes: Record<string, RegExp> = {
  href: /^(https?|mailto|tel):/i,
  target: /^_blank$/,
  rel: /^(noopener noreferrer nofollow|)$/,
  align: /^(left|right|center)$/,
  start: /^\d+$/,
  class: /^(code|code-bar|code-name|copy|table|task|check|check done|plain|picture|show|digits-\d+)$/,
  role: /^group$/,
  tabindex: /^0$/,
  dir: /^(ltr|auto)$/,
  type: /^button$/,
  'aria-live': /^polite$/,
  'aria-label': /./,
  'aria-level': /^[3-8]$/,
  title: /./,
};
/** Elements that only our code creates, and attributes that only they have. */
const ours = {
  'data-done': '.check',
  'aria-label': 'pre, .table',
  title: 'a, .show',
  class: 'div, span, button, li, p, .check',
};

function expectInert(markdown: string): HTMLElement {
  const host = show(markdown);
  for (const element of host.querySelectorAll('*')) {
    expect(tags, element.outerHTML).toContain(element.localName);
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    if (['div', 'span', 'button'].includes(element.localName)) expect(element.className).not.toBe('');
    for (const { name, value } of element.attributes) {
      expect(Object.keys(attributes), element.outerHTML).toContain(name);
      expect(value, element.outerHTML).toMatch(attributes[name] as RegExp);
      if (name in ours)
        expect(element.matches(ours[name as keyof typeof ours]), element.outerHTML).toBe(true);
    }
  }
  return host;
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

/** Different spellings of the same forbidden scheme. */
const schemes = [
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java\\script:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#x3a;alert(1)',
  '&#106;avascript:alert(1)',
  '&#0000106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  '&#x00006Aavascript:alert(1)',
  'java&NewLine;script:alert(1)',
  'java&#10;script:alert(1)',
  'java&#13;script:alert(1)',
  'java&#9;script:alert(1)',
  'java&#0;script:alert(1)',
  'java&shy;script:alert(1)',
  '&#8203;javascript:alert(1)',
  '\u2028javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  '%6aavascript:alert(1)',
  'javascript%3aalert(1)',
  'javascript://a.test/%0aalert(1)',
  'http&#58;javascript:alert(1)//',
  'view-source:javascript:alert(1)',
  'feed:javascript:alert(1)',
  'jar:https://a.test!/x.html',
  'livescript:alert(1)',
  'mocha:alert(1)',
  'data:text/html;charset=utf-8,%3Cscript%3Ealert(1)%3C/script%3E',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'data:,x',
  'filesystem:https://a.test/x',
  'intent://a.test#Intent;scheme=javascript;end',
  'ws://a.test',
  'about:blank',
  'chrome://settings',
  'ms-msdt:/id',
  'x-apple.systempreferences:',
  '\\\\a.test\\share',
  '/\\a.test',
  '///a.test',
  '?x=1',
];

const more = [
  // Names and classes that collide with those of the widget, and of the page.
  '<div class="code"><button class="copy">x</button></div>',
  '<span class="picture"><button class="show">x</button><a href="https://a.test/x.png">x</a></span>',
  '<a rel="image" href="https://a.test/x.png">x</a>',
  '[x](https://a.test "rel=image")',
  '<section><p>x</p></section>',
  '</section><section>x',
  'x</section><img src=x onerror=alert(1)><section>',
  '<pre lang="x" onfocus=alert(1) tabindex=0 autofocus>x</pre>',
  '```"onfocus=alert(1)autofocus\nx\n```',
  '```js"><img/src/onerror=alert(1)>\nx\n```',
  '~~~ <script>alert(1)</script>\nx\n~~~',
  '- a\n  ```x"y\n  b\n  ```',
  '<input name=attributes><form id=x><input name=parentNode></form>',
  '<form><input name=nodeName><input name=childNodes></form>',
  '<a id=location href="https://a.test">x</a><a id=location name=href>y</a>',
  '<p slot="x" part="bubble" exportparts="y" is="z">x</p>',
  // Text that different parsers interpret differently.
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><mi><table><mi><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><foreignObject><p><iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<noembed><p title="</noembed><img src onerror=alert(1)>">',
  '<noframes><p title="</noframes><img src onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src onerror=alert(1)>">',
  '<plaintext><img src onerror=alert(1)>',
  '<title><p title="</title><img src onerror=alert(1)>">',
  '<select><option><img src onerror=alert(1)></select>',
  '<table><td><select><input onfocus=alert(1) autofocus>',
  '<svg><desc><p><template shadowrootmode=open><img src onerror=alert(1)></template>',
  '<template shadowrootmode="open"><script>alert(1)</script></template>',
  '<annotation-xml encoding="text/html"><img src onerror=alert(1)>',
  '`</code></p><img src=x onerror=alert(1)>`',
  '[`</a><img src=x onerror=alert(1)>`](https://a.test)',
  '[a](https://a.test/<img src=x onerror=alert(1)>)',
  '[a](<https://a.test/"><img src=x onerror=alert(1)>)',
  '![a](<https://a.test/"><img src=x onerror=alert(1)>)',
  '![<img src=x onerror=alert(1)>](https://a.test/x.png)',
  '![`"><img src=x onerror=alert(1)>`](https://a.test/x.png)',
  '[![x](javascript:alert(1))](javascript:alert(1))',
  '[a [b](https://b.test) c](https://a.test)',
  '[<https://b.test>](https://a.test)',
  '<https://a.test/"onmouseover="alert(1)>',
  'https://a.test/"onmouseover="alert(1)',
  'https://a.test/<img src=x onerror=alert(1)>',
  'www.a.test"><img src=x onerror=alert(1)>',
  'me@a.test"><img src=x onerror=alert(1)>',
  '[x]: https://a.test/"onmouseover="alert(1)\n\n[x]',
  '[x]: <javascript:alert(1)>\n\n![x]',
  '[__proto__]: https://a.test\n\n[__proto__] [constructor] [toString]',
  '[x][__proto__]\n\n[constructor]: javascript:alert(1)',
  '|a|\n|-|\n|[x](javascript:alert(1))|',
  '1. <li onclick=alert(1)>x',
  '99999999999. x',
  '# [x](javascript:alert(1)) <svg onload=alert(1)>',
  '> <blockquote cite="javascript:alert(1)">x',
  '- [x] <img src=x onerror=alert(1)>',
  '- [<img src=x onerror=alert(1)>] x',
  '\\<script\\>alert(1)\\</script\\>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#x3c;img src=x onerror=alert(1)&#x3e;',
  '&lt;img src=x onerror=alert(1)&NewLine;&gt;',
  '**<img src=x onerror=alert(1)>**',
  '*[x](java&#x0A;script:alert(1))*',
  '~~<iframe src=javascript:alert(1)>~~',
  '<img src="https://a.test/x.png" loading=eager>',
  '<link rel=prefetch href="https://a.test/x"><link rel=dns-prefetch href="//a.test">',
  '<audio src=x onerror=alert(1)><track src=x>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)>',
  '<frameset onload=alert(1)>',
  '<html onclick=alert(1)><head><script>alert(1)</script>',
  '<dialog open onclose=alert(1)>x</dialog>',
  '<p popover onbeforetoggle=alert(1)>x</p>',
  '<a href="https://a.test" download=x hreflang=y attributionsrc="//b.test">x</a>',
  '<p contenteditable onfocus=alert(1) autofocus>x</p>',
  '<div style="background:url(//a.test/x)">x</div>',
  '<font color=red size=7>x</font><center>x</center>',
  `${'<b>'.repeat(600)}<img src=x onerror=alert(1)>`,
  `${'<table>'.repeat(300)}<img src=x onerror=alert(1)>`,
  ...schemes.flatMap((address) => [`[x](<${address}>)`, `![x](${address})`]),
];

describe('hostile content is inert', () => {
  test.each([...hostile, ...more])('%s', (markdown) => void expectInert(markdown));
  test.each(more.slice(0, 40))('streaming: %s', (markdown) => {
    const { host, view } = mount();
    for (let at = 1; at < markdown.length; at += 3) view.update(markdown.slice(0, at), false);
    for (const element of host.querySelectorAll('*')) expect(tags).toContain(element.localName);
  });
  test('there are enough examples', () => expect(hostile.length + more.length).toBeGreaterThan(200));
  test('all of it together', () => void expectInert(hostile.join('\n\n')));
  test('all of it in a list and a quote', () =>
    void expectInert(hostile.map((line) => `> - ${line}`).join('\n')));

  test('a harmless link with another scheme loses its address, and keeps its text', () => {
    expect(html('[x](javascript:alert(1))')).toBe('<p><a>x</a></p>');
  });

  test('the check detects an allow-list that removes nothing', () => {
    expect(() => {
      const host = document.createElement('div');
      host.innerHTML = '<p id="x">';
      expect(Object.keys(attributes)).toContain(host.querySelector('p')?.attributes[0]?.name);
    }).toThrow();
  });
});

test.each([
  ['quotes', '> '.repeat(20_000)],
  ['lists', `${'- '.repeat(3_000)}x`],
  ['emphasis', '*a '.repeat(10_000)],
  ['brackets', '['.repeat(20_000)],
  ['links', '[a]('.repeat(10_000)],
])('very deep %s are shown as Markdown or as text, and do not throw', (_, markdown) => {
  expect(show(markdown).textContent).not.toBe('');
});

test('text that is nested too deep for Markdown is shown as text, and is sanitized', () => {
  const markdown = `${'> '.repeat(20_000)}<img src=x onerror=alert(1)>&amp;`;
  expect(expectInert(markdown).textContent).toBe(markdown);
});
