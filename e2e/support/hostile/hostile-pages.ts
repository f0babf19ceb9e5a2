// Hostile host pages as data: styles, scripts and markup that can break third-party content.
import type { HostilePage } from './hostile-page.ts';
import { hostileLayers, hostileScripts } from './hostile-scripts.ts';

/** The changes of Prototype 1.6 to built-in objects and elements that break other scripts. */
const prototypeJs = `
  const add = (to, from) => { for (const name in from) to[name] = from[name]; };
  window.$A = (list) => { if (!list) return []; const result = new Array(list.length || 0); for (let i = 0; i < result.length; i++) result[i] = list[i]; return result; };
  Array.from = $A;
  const Enumerable = {
    each(f) { for (let i = 0; i < this.length; i++) f(this[i], i); return this; },
    collect(f, self) { const result = []; this.each((value, i) => result.push(f ? f.call(self, value, i) : value)); return result; },
    detect(f, self) { for (let i = 0; i < this.length; i++) if (f.call(self, this[i], i)) return this[i]; },
    findAll(f, self) { const result = []; this.each((value, i) => { if (f.call(self, value, i)) result.push(value); }); return result; },
    include(value) { return this.indexOf(value) >= 0; },
    toArray() { return this.collect(); },
    inspect() { return '#<Enumerable>'; },
    zip() { return this.toArray(); },
  };
  add(Enumerable, { map: Enumerable.collect, find: Enumerable.detect, select: Enumerable.findAll, filter: Enumerable.findAll, member: Enumerable.include, entries: Enumerable.toArray });
  add(Array.prototype, Enumerable);
  add(Array.prototype, {
    reduce() { return this.length > 1 ? this : this[0]; },
    first() { return this[0]; }, last() { return this[this.length - 1]; },
    clear() { this.length = 0; return this; }, compact() { return this.select((value) => value != null); },
    uniq() { return [...new Set(this)]; }, clone() { return [].concat(this); }, size() { return this.length; },
    toJSON() { return '[' + this.map((value) => JSON.stringify(value)).join(', ') + ']'; },
  });
  Date.prototype.toJSON = function () { return '"' + this.toISOString() + '"'; };
  add(Function.prototype, {
    bind(...args) { if (args.length < 2 && args[0] === undefined) return this; const method = this, object = args.shift(); return function (...rest) { return method.apply(object, args.concat(rest)); }; },
    curry(...args) { const method = this; return function (...rest) { return method.apply(this, args.concat(rest)); }; },
    defer(...args) { return setTimeout(() => this.apply(this, args), 10); },
    wrap(wrapper) { const method = this; return function (...rest) { return wrapper.apply(this, [method.bind(this)].concat(rest)); }; },
  });
  add(String.prototype, {
    gsub(pattern, to) { return this.replace(new RegExp(pattern, 'g'), to); }, sub(pattern, to) { return this.replace(pattern, to); },
    strip() { return this.trim(); }, blank() { return /^\\s*$/.test(this); }, toArray() { return this.split(''); }, inspect() { return "'" + this + "'"; },
    toJSON() { return '"' + this + '"'; }, camelize() { return String(this); }, empty() { return this == ''; },
  });
  add(HTMLElement.prototype, {
    remove() { this.parentNode.removeChild(this); return this; },
    scrollTo() { const { left, top } = this.getBoundingClientRect(); window.scrollTo(left, top); return this; },
    replace(content) { this.outerHTML = content; return this; }, update(content) { this.textContent = content; return this; },
    empty() { return this.innerHTML.trim() === ''; }, select(query) { return $A(this.querySelectorAll(query)); },
    visible() { return this.style.display != 'none'; }, hide() { this.style.display = 'none'; return this; }, show() { this.style.display = ''; return this; },
    next() { return this.nextElementSibling; }, up() { return this.parentNode; }, down() { return this.firstElementChild; }, insert(content) { this.append(content); return this; },
    wrap() { return this; }, getWidth() { return this.offsetWidth; }, identify() { return this.id; }, match(query) { return this.matches(query); }, setOpacity() { return this; },
  });
  const NativeElement = window.Element;
  window.Element = function (tag, attributes) { const element = document.createElement(tag); for (const name in attributes) element.setAttribute(name, attributes[name]); return element; };
  window.Element.prototype = NativeElement.prototype;
  Event.prototype.stop = function () { this.preventDefault(); this.stopPropagation(); };
  Event.prototype.element = function () { return this.target; };
  window.$ = (id) => document.getElementById(id);
  window.$$ = (query) => $A(document.querySelectorAll(query));`;

/** The changes of MooTools and of pages of that time: enumerable extensions, another Array.from, another JSON. */
const mooTools = `
  const extend = (to, from) => { for (const name in from) to[name] = from[name]; };
  Array.from = (item) => item == null ? [] : typeof item != 'string' && typeof item.length == 'number' ? Array.prototype.slice.call(item) : [item];
  extend(Array.prototype, {
    each(f, self) { return this.forEach(f, self); }, clean() { return this.filter((value) => value != null); }, contains(value) { return this.indexOf(value) != -1; },
    append(list) { this.push(...list); return this; }, getLast() { return this[this.length - 1]; }, include(value) { if (!this.contains(value)) this.push(value); return this; },
    combine(list) { for (const value of list) this.include(value); return this; }, erase(value) { for (let i = this.length; i--;) if (this[i] === value) this.splice(i, 1); return this; },
    empty() { this.length = 0; return this; }, flatten() { return this.flat(Infinity); }, pick() { return this[0]; }, clone() { return this.slice(); }, link() { return {}; },
  });
  extend(Object.prototype, { forEachOwn(f) { for (const name of Object.keys(this)) f(this[name], name); }, label: 'an object of the page' });
  extend(Function.prototype, { delay(ms) { return setTimeout(this, ms); }, attempt() { try { return this(); } catch { return null; } }, extend(more) { extend(this, more); return this; }, implement() { return this; } });
  extend(String.prototype, { contains(text) { return this.indexOf(text) > -1; }, clean() { return this.trim(); }, test(regexp) { return regexp.test(this); }, substitute() { return String(this); }, capitalize() { return String(this); } });
  extend(Element.prototype, {
    set(name, value) { this.setAttribute(name, value); return this; }, get(name) { return this.getAttribute(name); }, inject(where) { where.append(this); return this; },
    grab(child) { this.append(child); return this; }, adopt(...children) { this.append(...children); return this; }, dispose() { return this.parentNode ? this.parentNode.removeChild(this) : this; },
    empty() { this.replaceChildren(); return this; }, destroy() { this.remove(); return null; }, scrollTo(x, y) { this.scrollLeft = x; this.scrollTop = y; return this; },
    addEvent(type, f) { this.addEventListener(type, f); return this; }, getSize() { return { x: this.offsetWidth, y: this.offsetHeight }; }, toQueryString() { return ''; }, erase(name) { this.removeAttribute(name); return this; },
  });
  const { stringify, parse } = JSON;
  window.JSON = { encode: (value) => stringify(value), decode: (text) => parse(text), stringify: (value) => stringify(value), parse: (text) => parse(text) };`;

/** A Promise polyfill of 2014: no allSettled, any, try, withResolvers, finally; then() uses a timer. */
const oldPromise = `
  const Native = window.Promise;
  class Old {
    constructor(f) { let settle; this.inner = new Native((resolve, reject) => { settle = [resolve, reject]; }); try { f(...settle); } catch (error) { settle[1](error); } }
    then(a, b) { return new Old((resolve, reject) => this.inner.then((value) => setTimeout(() => { try { resolve(a ? a(value) : value); } catch (error) { reject(error); } }), (cause) => setTimeout(() => { if (!b) return reject(cause); try { resolve(b(cause)); } catch (error) { reject(error); } }))); }
    catch(b) { return this.then(undefined, b); }
    static resolve(value) { return new Old((resolve) => resolve(value)); }
    static reject(cause) { return new Old((_, reject) => reject(cause)); }
    static all(list) { return new Old((resolve, reject) => Native.all(list).then(resolve, reject)); }
    static race(list) { return new Old((resolve, reject) => Native.race(list).then(resolve, reject)); }
  }
  window.Promise = Old;`;

/** zone.js wraps timers, listeners and promises. */
const zone = `
  window.zoneRuns = 0;
  const wrapped = new WeakMap();
  const wrap = (f) => { if (typeof f !== 'function') return f; let own = wrapped.get(f); if (!own) { own = function (...args) { window.zoneRuns++; return f.apply(this, args); }; wrapped.set(f, own); } return own; };
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, f, options) { return add.call(this, type, wrap(f), options); };
  EventTarget.prototype.removeEventListener = function (type, f, options) { return remove.call(this, type, wrap(f), options); };
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'queueMicrotask', 'requestIdleCallback']) { const native = window[name]; if (native) window[name] = (f, ...rest) => native.call(window, wrap(f), ...rest); }
  const { then } = Promise.prototype;
  Promise.prototype.then = function (a, b) { return then.call(this, wrap(a), wrap(b)); };
  for (const name of ['ResizeObserver', 'MutationObserver', 'IntersectionObserver']) { const Native = window[name]; window[name] = class extends Native { constructor(f, options) { super(wrap(f), options); } }; }
  const { open, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (...args) { return open.apply(this, args); };
  XMLHttpRequest.prototype.send = function (...args) { return send.apply(this, args); };`;

const names = [
  'platform body head title lang dir fonts location images links forms scripts cookie URL',
  'activeElement readyState visibilityState hidden trustedTypes fetch getComputedStyle localStorage',
  'navigator Element chat launcher frame box root',
]
  .join(' ')
  .split(' ');

export const hostilePages: HostilePage[] = [
  {
    name: 'every style is unset',
    together: 'unset styles, Prototype.js',
    css: '* { all: unset !important; }',
  },
  {
    name: 'every element is hidden, the chat’s own by name too',
    together: 'hidden elements, no storage',
    css: `div, section, button, form, textarea { display: none !important; }
      :not(html) { display: none !important; visibility: hidden !important; opacity: 0 !important; pointer-events: none !important; }
      platform-webchat { width: 0 !important; transform: scale(0) !important; clip-path: inset(50%) !important; content-visibility: hidden !important; }`,
  },
  {
    name: 'body is transformed, filtered, contained, cut off and transparent',
    together: 'containing blocks and sizes',
    css: 'body { transform: rotate(2deg) scale(.9); filter: blur(1px); contain: strict; overflow: hidden; opacity: 0; height: 90px; clip-path: circle(10px); perspective: 100px; will-change: transform; }',
  },
  {
    name: 'the root font size is 2 px',
    together: 'containing blocks and sizes',
    css: 'html { font-size: 2px; line-height: .1; letter-spacing: 20px; word-spacing: 50px; text-transform: uppercase; text-indent: 80px; color: #fefefe; }',
  },
  {
    name: 'quirks mode and a root font size of 40 px',
    together: 'quirks mode, MooTools later',
    doctype: '',
    css: 'html { font-size: 40px; cursor: none; user-select: none; -webkit-user-select: none; touch-action: none; } * { user-select: none !important; -webkit-user-select: none !important; touch-action: none !important; } img, svg { width: 900px !important; }',
  },
  {
    name: 'the highest z-index, a popover over everything, dark colours, a style sheet for print',
    together: 'layers and addresses',
    head: '<meta name="color-scheme" content="dark light">',
    css: '#cover, #top { position: fixed; inset: 0; z-index: 2147483647 !important; background: rgb(255 0 0 / .2); } :root { color-scheme: dark; forced-color-adjust: none; accent-color: red; caret-color: transparent; } @media print { * { display: none !important; } }',
    body: '<div id="cover"></div><div id="top" popover="manual">A popover of the page</div>',
    before:
      "document.addEventListener('DOMContentLoaded', () => document.querySelector('#top').showPopover());",
  },
  {
    name: 'a base element with another URL and target',
    together: 'layers and addresses',
    head: '<base href="https://example.invalid/deep/" target="_blank">',
    csp: 'base-uri *',
  },
  {
    name: 'right to left by CSS',
    together: 'mirrored and turned',
    css: 'html { direction: rtl; unicode-bidi: bidi-override; text-align: right; }',
    looksDifferent: true,
  },
  {
    name: 'vertical writing',
    together: 'mirrored and turned',
    html: 'dir="rtl"',
    css: 'html { writing-mode: vertical-rl; text-orientation: upright; }',
    looksDifferent: true,
  },
  { name: 'Prototype.js', together: 'unset styles, Prototype.js', before: prototypeJs },
  {
    name: 'Prototype.js, loaded after the chat',
    together: 'animations, Prototype.js later',
    after: prototypeJs,
  },
  {
    name: 'MooTools, and objects with enumerable extras',
    together: 'layers of styles, MooTools',
    before: mooTools,
  },
  { name: 'MooTools, loaded after the chat', together: 'quirks mode, MooTools later', after: mooTools },
  {
    name: 'a Promise polyfill of 2014',
    together: 'containing blocks and sizes',
    before: oldPromise,
    breaksDriverOf: 'webkit',
  },
  {
    name: 'a Promise polyfill of 2014 that is loaded after the chat',
    after: oldPromise,
    breaksDriverOf: 'webkit',
  },
  { name: 'zone.js', together: 'wrapped functions', before: zone },
  { name: 'zone.js, loaded after the chat', together: 'popovers, zone.js later', after: zone },
  {
    name: 'AMD and CommonJS loaders, conflicting global names, and the script tag three times',
    tag: 'TAG TAG',
    body: 'TAG',
    expectedWarnings: /webchat.js is here twice/,
    before: `window.define = () => { throw new Error('define was called'); }; define.amd = {}; window.module = { exports: {} }; window.exports = module.exports; window.require = define;
      window.webchat = 'the page’s'; window.chat = 'the page’s'; window.h = 'the page’s'; window.Chat = class {};`,
  },
  {
    name: 'fetch is wrapped, and later replaced',
    together: 'wrapped functions',
    before:
      'const native = window.fetch; window.fetch = async function (...args) { return native.apply(this, args); };',
    after: `const { fetch } = window; window.fetch = (address, init) => fetch(address, init);
      window.Headers = window.Request = window.Response = function () { throw new Error('not yours'); };`,
  },
  {
    name: 'element names that shadow browser globals',
    together: 'names of elements, toJSON',
    body: `${names.map((name) => `<form id="${name}" name="${name}"><input name="init"><input name="id"></form><img name="${name}" alt="">`).join('')}<iframe name="top"></iframe>`,
  },
  {
    name: 'no storage and an opaque origin (a sandboxed frame)',
    together: 'hidden elements, no storage',
    csp: 'sandbox allow-scripts allow-forms',
  },
  ...hostileScripts,
  ...hostileLayers,
];
