// Runs first on a third-party page and records its state, so that a test can detect changes made by the chat. It keeps its
// own references to built-in functions, because the page may replace them later.
(() => {
  const { document } = window;
  const { stringify } = JSON;
  const { ownKeys, apply, getOwnPropertyDescriptor } = Reflect;
  const computed = window.getComputedStyle;
  const { getBoundingClientRect } = Element.prototype;
  const all = Document.prototype.querySelectorAll;
  const from = Document.prototype.elementFromPoint;
  const body = getOwnPropertyDescriptor(Document.prototype, 'body').get;
  const root = getOwnPropertyDescriptor(Document.prototype, 'documentElement').get;
  const { assign } = Object;
  const list = Object.getOwnPropertyNames(window).filter((name) => /^[A-Z]/.test(name));
  const call = (f, self, ...args) => apply(f, self, args);
  /** An array that is not affected by a page's Array.prototype.toJSON. */
  const plain = (...items) => assign(items, { toJSON: undefined });

  /** All built-in functions, after the page's own scripts have run. */
  let functions;
  const readFunctions = () => {
    const found = [];
    for (let i = 0; i < list.length; i++) {
      const value = getOwnPropertyDescriptor(window, list[i])?.value;
      if (typeof value !== 'function') continue;
      found[found.length] = [list[i], value];
      for (const owner of [value, value.prototype]) {
        if (!owner) continue;
        const keys = ownKeys(owner);
        for (let k = 0; k < keys.length; k++) {
          const descriptor = getOwnPropertyDescriptor(owner, keys[k]);
          const name = `${list[i]}.${owner === value ? '' : 'prototype.'}${String(keys[k])}`;
          const held = descriptor.value ?? descriptor.get;
          if (typeof held === 'function') found[found.length] = [name, held];
        }
      }
    }
    return found;
  };

  window.probe = {
    clicks: 0,
    keys: '',
    mark() {
      functions = readFunctions();
    },
    /** The present state of the page, as JSON. */
    read() {
      const elements = call(all, document, 'html, body, body *');
      const looks = plain();
      for (let i = 0; i < elements.length && looks.length < 60; i++) {
        const element = elements[i];
        if (element.localName === 'platform-webchat' || element.localName === 'script') continue;
        const style = computed(element);
        let text = '';
        for (let k = 0; k < style.length; k++) text += `${style[k]}:${style.getPropertyValue(style[k])};`;
        const { x, y, width, height } = call(getBoundingClientRect, element);
        looks[looks.length] = {
          __proto__: null,
          tag: element.localName,
          at: `${x} ${y} ${width} ${height}`,
          text,
        };
      }
      const html = call(root, document);
      const page = call(body, document);
      const now = readFunctions();
      const changed = plain();
      for (let i = 0; i < now.length || i < functions.length; i++) {
        const [name, value] = functions[i] ?? [];
        if (now[i]?.[0] !== name || now[i]?.[1] !== value) changed[changed.length] = `${name} ${now[i]?.[0]}`;
        if (changed.length > 5) break;
      }
      const globals = plain();
      const keys = ownKeys(window);
      for (let i = 0; i < keys.length; i++) {
        if (keys[i] !== 'platform') globals[globals.length] = String(keys[i]);
      }
      call(Array.prototype.sort, globals);
      const button = document.getElementById('count');
      const before = probe.clicks;
      button.click();
      return stringify({
        __proto__: null,
        looks,
        changed,
        globals,
        handlersWork: probe.clicks > before,
        markup: page.innerHTML.replace(/<script[\s\S]*?<\/script>/g, ''),
        attributes: `${html.cloneNode(false).outerHTML} ${page.cloneNode(false).outerHTML}`,
        scroll: plain(scrollX, scrollY, html.scrollWidth, html.scrollHeight),
        sheets: plain(document.styleSheets.length, document.adoptedStyleSheets.length),
        mode: document.compatMode,
      });
    },
    /** The name of the topmost element at a point. */
    at: (x, y) => call(from, document, x, y)?.localName,
  };
})();
