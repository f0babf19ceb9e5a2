// Scripts of hostile pages: names on the prototype of all objects, missing and throwing browser functions, frozen objects.
import type { HostilePage } from './hostile-page.ts';

/** Adds enumerable names to all objects, as old libraries and injected scripts do. */
const pollute = (names: string) => `Object.assign(Object.prototype, ${names});`;

const missing = [
  'ResizeObserver',
  'queueMicrotask',
  'IntersectionObserver',
  'requestIdleCallback',
  'cancelIdleCallback',
  'structuredClone',
  'BroadcastChannel',
  'PerformanceObserver',
];
const throwing = ['append', 'prepend', 'before', 'after', 'replaceChildren', 'replaceWith'];

export const hostileScripts: HostilePage[] = [
  {
    name: 'every object has the names that elements of Preact are made of',
    together: 'names of all objects',
    breaksDriverOf: 'chromium',
    before:
      pollute(`{ dangerouslySetInnerHTML: { __html: 'polluted' }, __html: 'polluted', key: 'polluted', ref: 'polluted',
      children: 'polluted', class: 'polluted', className: 'polluted', style: 'display:none', hidden: true, disabled: true,
      onclick() { throw new Error('polluted'); }, onClick() { throw new Error('polluted'); }, innerHTML: 'polluted' }`),
  },
  {
    name: 'every object has those names, added after the chat',
    breaksDriverOf: 'chromium',
    after:
      pollute(`{ dangerouslySetInnerHTML: { __html: 'polluted' }, key: 'polluted', ref: 'polluted', children: 'polluted',
      class: 'polluted', style: 'display:none', inert: true, disabled: true, onClick() { throw new Error('polluted'); } }`),
  },
  {
    name: 'every object has the names of property descriptors and of elements',
    together: 'names of all objects',
    before:
      pollute(`{ value: 'polluted', name: 'polluted', type: 'polluted', title: 'polluted', label: 'polluted',
      id: 'polluted', role: 'none', data: 'polluted', text: 'polluted', url: 'polluted', extend() {}, each() {} }`),
  },
  {
    name: 'every object has the names of requests',
    together: 'names of all objects',
    breaksDriverOf: 'chromium',
    before: pollute(`{ method: 'DELETE', body: 'polluted', headers: { polluted: '1' }, redirect: 'error',
      referrer: 'polluted', integrity: 'polluted', keepalive: true, priority: 'polluted' }`),
  },
  {
    name: 'every object has the names of options and of the configuration',
    together: 'names of all objects',
    before:
      pollute(`{ manual: '', target: '#none', chatUrl: 'polluted:', configuration: 'polluted', user: 'polluted',
      color: 'polluted', botName: 'Polluted', launcher: false, starters: 'polluted', footer: 'polluted', forget: true,
      getUserKey: 'polluted', beforeSend: 'polluted', renderMessage: 'polluted', avoid: 'h1', proactive: 'polluted', maxFiles: 1 }`),
  },
  {
    name: 'every object and every text has its own toJSON',
    together: 'names of elements, toJSON',
    breaksDriverOf: 'chromium',
    before: `for (const all of [Object, String, Number, Date]) all.prototype.toJSON = function () { return 'polluted'; };`,
  },
  {
    name: `browsers’ objects without ${missing.slice(0, 3).join(', ')}`,
    together: 'missing functions',
    before: `for (const name of ${JSON.stringify(missing)}) delete window[name];`,
  },
  {
    name: 'no function that is younger than the oldest supported browsers',
    together: 'missing functions',
    before: `const remove = (from, names) => { for (const name of names.split(' ')) delete from[name]; };
      remove(Array.prototype, 'toSorted toReversed toSpliced with'); remove(Array, 'fromAsync'); remove(Object, 'groupBy'); remove(Map, 'groupBy');
      remove(Promise, 'withResolvers try'); remove(AbortSignal, 'any'); remove(URL, 'canParse parse'); remove(Element.prototype, 'checkVisibility setHTMLUnsafe');
      remove(Set.prototype, 'union intersection difference isSubsetOf'); remove(String.prototype, 'isWellFormed toWellFormed'); remove(window, 'scheduler Iterator');
      remove(Intl, 'Segmenter DurationFormat'); remove(Crypto.prototype, 'randomUUID');`,
  },
  {
    name: 'no popovers: the chat is below the top layer',
    together: 'missing functions',
    before: `for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover']) delete HTMLElement.prototype[name];`,
  },
  {
    name: 'functions that insert elements throw',
    together: 'functions that do not work',
    before: `for (const all of [Element, Document, DocumentFragment]) for (const name of ${JSON.stringify(throwing)})
      if (all.prototype[name]) all.prototype[name] = () => { throw new Error(name + ' is not for you'); };`,
  },
  {
    name: 'frozen objects of the language, as a sandbox of scripts makes them',
    together: 'layers and addresses',
    before: `for (const all of [Array, Function, String, Number, Promise, Map, Set, RegExp, Date, Symbol])
      { Object.freeze(all.prototype); Object.freeze(all); } Object.freeze(Object); Object.freeze(JSON); Object.freeze(Math);`,
  },
  {
    name: 'iterators, array methods and Object.assign of a polyfill of 2015',
    together: 'polyfills and recorders',
    before: `Array.prototype[Symbol.iterator] = Array.prototype.values = function* () { for (let i = 0; i < this.length; i++) yield this[i]; };
      Array.prototype.find = function (f) { for (let i = 0; i < this.length; i++) if (f(this[i], i, this)) return this[i]; };
      Array.prototype.includes = function (value) { return this.indexOf(value) !== -1; };
      Array.prototype.fill = function (value) { for (let i = 0; i < this.length; i++) this[i] = value; return this; };
      Object.assign = function (to, ...all) { for (const from of all) for (const name in from) if (Object.prototype.hasOwnProperty.call(from, name)) to[name] = from[name]; return to; };
      Object.entries = (all) => Object.keys(all).map((name) => [name, all[name]]);
      String.prototype.startsWith = function (text) { return this.indexOf(text) === 0; }; String.prototype.trim = function () { return this.replace(/^\\s+|\\s+$/g, ''); };`,
  },
  {
    name: 'a clock that is stopped in 1970',
    together: 'functions that do not work',
    before: `const Native = Date; window.Date = class Date extends Native { constructor(...all) { if (all.length) super(...all); else super(0); } static now() { return 0; } };`,
  },
  {
    name: 'storage that is full',
    together: 'functions that do not work',
    before: `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`,
  },
  {
    name: 'listeners of scrolling are passive, and functions of the tree are recorded',
    together: 'polyfills and recorders',
    before: `const { addEventListener: add } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (type, f, options) { const own = typeof options === 'object' ? options : { capture: !!options }; return add.call(this, type, f, /scroll|wheel|touch/.test(type) ? { ...own, passive: true } : own); };
      window.recorded = []; for (const name of ['appendChild', 'insertBefore', 'removeChild', 'replaceChild']) { const native = Node.prototype[name]; Node.prototype[name] = function (...all) { recorded.push(name); return native.apply(this, all); }; }
      const create = Document.prototype.createElement; Document.prototype.createElement = function (...all) { const element = create.apply(this, all); element.created = true; return element; };`,
  },
  {
    name: 'handlers that forbid copying, selecting, menus and keys',
    together: 'mirrored and turned',
    before: `document.onselectstart = document.oncontextmenu = document.oncopy = document.ondragstart = document.onmousedown = () => false;
      document.onkeydown = document.onkeypress = (event) => { event.preventDefault(); }; window.onerror = () => true;
      window.scrollTo = window.focus = window.print = window.stop = window.find = () => { throw new Error('no'); }; window.name = 'platform'; window.status = 'x'; window.event = 1; window.length = 7; window.origin = 'x';`,
  },
];

/** Opens a popover over the whole page; `style` is its CSS text. */
const cover = (id: string) =>
  `const ${id} = document.createElement('div'); ${id}.id = '${id}'; ${id}.popover = 'manual'; document.body.appendChild(${id}); ${id}.showPopover();`;
const coverCss = `border:0; margin:0; padding:0; position:fixed; inset:0; width:100%; height:100%; background:transparent;`;

export const hostileLayers: HostilePage[] = [
  {
    name: 'a transparent popover over the whole page, opened after the chat',
    together: 'containing blocks and sizes',
    css: `#late { ${coverCss} }`,
    after: cover('late'),
  },
  {
    name: 'three such popovers, and a dialog that is not modal above every z-index',
    together: 'popovers, zone.js later',
    css: `#a, #b, #c { ${coverCss} } dialog { position: fixed; inset: 0; width: 100%; height: 100%; opacity: 0; z-index: 2147483647; }`,
    after: `${cover('a')} ${cover('b')} ${cover('c')} const d = document.createElement('dialog'); d.open = true; document.body.appendChild(d);`,
  },
  {
    name: 'the root is filtered, turned, transparent, untouchable and a grid',
    together: 'mirrored and turned',
    css: 'html { filter: invert(1); opacity: .3; transform: rotate(1deg); pointer-events: none !important; display: grid; place-items: end; clip-path: inset(10px); mix-blend-mode: difference; isolation: isolate; }',
    // The header is translucent over the page, whose colours are inverted.
    looksDifferent: true,
  },
  {
    name: 'everything is animated, in columns and of another box model',
    together: 'animations, Prototype.js later',
    css: '@keyframes spin { to { transform: rotate(1turn); opacity: 0; } } platform-webchat, section, .window, .launcher, .bubble { animation: spin 1s infinite !important; transition: all 9s !important; } * { box-sizing: content-box !important; float: right !important; columns: 3 !important; }',
  },
  {
    name: 'page styles by layers, :host, ::part, ::slotted and custom elements',
    together: 'layers of styles, MooTools',
    css: ':host { display: none !important; } ::slotted(*) { display: none !important; } * , *::before, *::after { content: "x" !important; } :not(:defined) { display: none !important; } :defined { clip: rect(0 0 0 0) !important; } [popover] { display: none !important; inset: auto !important; opacity: 0 !important; } :popover-open { transform: translateX(-9999px) !important; }',
  },
  {
    name: 'the page’s body is editable and inert, and its text direction is by content',
    together: 'layers and addresses',
    body: '',
    html: 'dir="auto" translate="no" spellcheck="false"',
    before: `document.addEventListener('DOMContentLoaded', () => { document.body.contentEditable = 'true'; document.body.spellcheck = true; });`,
  },
];
