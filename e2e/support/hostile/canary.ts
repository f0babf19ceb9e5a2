// Detects effects of hostile content on a page: scripts, requests, navigation, popups, forms, styles, prototype pollution.
import type { Page, Request } from '@playwright/test';
import type { ChatPage } from '../chat-page.ts';
import { expect } from '../fixtures.ts';

declare global {
  interface Window {
    canary: string[];
    pwned(): void;
    /** Injects signals into the chat's event stream, as if the server had sent them. */
    serverSays(...signals: unknown[]): void;
  }
}

export interface Canary {
  /**
   * Fails if an effect was detected since the page was loaded, or if the DOM contains something that is not allowed.
   */
  expectIntact(): Promise<void>;
  /** Returns all effects that were detected so far. */
  all(): Promise<string[]>;
}

/** Must be called before the page is loaded; `at` is its URL. */
export async function watch(chat: ChatPage, at = chat.url): Promise<Canary> {
  const { page, platform } = chat;
  const seen: string[] = [];
  const own = [platform.url, new URL(chat.url).origin];
  const onRequest = (request: Request) => {
    const url = request.url();
    if (!own.some((origin) => url.startsWith(`${origin}/`)) && !/^(data|blob|about):/.test(url)) {
      seen.push(`request ${url}`);
    }
    if (request.isNavigationRequest() && ![chat.url, at].includes(url)) {
      seen.push(`navigation ${url}`);
    }
  };
  page.context().on('request', onRequest);
  page.context().on('page', (other) => seen.push(`popup ${other.url()}`));
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('download', (download) => seen.push(`download ${download.url()}`));
  page.on('frameattached', (frame) => seen.push(`frame ${frame.url()}`));
  await page.route(/^[^:]+:\/\/canary\.invalid/, (route) => route.abort());
  await page.addInitScript(arm);
  const all = async () => [
    ...seen,
    ...(await page.evaluate(() => [...window.canary, ...window.seen.violations])),
  ];
  return {
    all,
    async expectIntact() {
      expect(await all()).toEqual([]);
      expect(await inspect(page)).toEqual([]);
    },
  };
}

/** Runs in the page before any other script: installs traps, and a function to inject signals. */
function arm(): void {
  window.canary = [];
  const trap = (name: string) => () => void window.canary.push(name);
  window.pwned = trap('script');
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const) {
    Object.assign(window, { [name]: trap(name) });
  }
  addEventListener('submit', trap('submit'), true);
  HTMLFormElement.prototype.submit = trap('submit');
  const { sendBeacon } = Navigator.prototype;
  Navigator.prototype.sendBeacon = function (...args) {
    window.canary.push('beacon');
    return sendBeacon.apply(this, args);
  };
  const globals = new Set(Object.getOwnPropertyNames(Object.prototype));
  Object.assign(window, { builtIns: globals });

  const { fetch } = window;
  let speak: (text: string) => void = () => {};
  window.serverSays = (...signals) => {
    for (const signal of signals) {
      speak(`data: ${typeof signal === 'string' ? signal : JSON.stringify(signal)}\n\n`);
    }
  };
  window.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream') || !response.body) return response;
    const body = new ReadableStream({
      start(controller) {
        const encoder = new TextEncoder();
        speak = (text) => controller.enqueue(encoder.encode(text));
        const reader = response.body?.getReader();
        init?.signal?.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
        const pump = async (): Promise<void> => {
          const { done, value } = (await reader?.read()) ?? { done: true };
          if (done) return controller.close();
          controller.enqueue(value);
          return pump();
        };
        pump().catch((error) => controller.error(error));
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

/** Returns the content of the page and the chat that is on no allow-list. */
export function inspect(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems = new Set<string>();
    const host = document.querySelector('platform-webchat');
    const root = host?.shadowRoot;
    if (!host || !root) return ['The chat is gone.'];
    const tags = new Set(
      (
        'div section header footer span p h1 h2 h3 h4 h5 h6 ol ul li a b i bdi br hr em strong del small code pre ' +
        'blockquote table thead tbody tr th td time form fieldset button textarea select option svg path figure ' +
        'figcaption img audio video canvas progress dialog input details summary'
      ).split(' '),
    );
    const names =
      /^(class|part|role|tabindex|hidden|inert|dir|lang|type|title|href|target|rel|src|alt|decoding|loading|preload|controls|playsinline|referrerpolicy|viewBox|d|rows|placeholder|enterkeyhint|readonly|disabled|value|selected|max|multiple|accept|datetime|start|align|id|style|aria-[a-z]+|data-(key|side|first|last|status|type|theme|variant|header|loading|density|tools|picker|problem|size|left|group|index|dragging|newest|person|live|card|ended|wide|streaming))$/;
    const ids = new Set(['platform-window', 'platform-restart', 'platform-restart-explained']);
    const css = root.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));
    const classes = new Set([...css.join('\n').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name));
    // Classes without a style rule, or with one in a chunk that is not loaded here.
    const bare =
      'who face bloc copy plain image picture audio video markdown text code-name menu-place card carousel table';
    for (const name of bare.split(' ')) classes.add(name);
    const inMarkdown =
      /^(code|code-bar|code-name|copy|table|task|check|done|plain|picture|show|image|loading|syn-\w+)?$/;
    const check = (element: Element) => {
      const tag = element.localName;
      const addProblem = (what: string) => void problems.add(`<${tag}> ${what}`);
      if (!tags.has(tag)) addProblem('has no place here');
      const isContent = !!element.parentElement?.closest('.markdown');
      if (isContent && /^(form|input|textarea|select|svg|dialog|video|audio|i)$/.test(tag))
        addProblem('came with a message');
      for (const { name, value } of element.attributes) {
        if (!names.test(name)) addProblem(`has ${name}=${value}`);
        if (name === 'id' && !ids.has(value)) addProblem(`has id=${value}`);
        if (
          name === 'style' &&
          !element.matches('.window, .rows, .box-input, .photo button, .audio input, .avatar')
        ) {
          addProblem(`has style=${value}`);
        }
        // The protocol of an invalid URL is a single colon; such a link does not navigate.
        if (name === 'href' && !/^(https?|mailto|tel|):$/.test((element as HTMLAnchorElement).protocol))
          addProblem(`leads to ${value}`);
        if (name === 'src' && !/^https?:/.test((element as HTMLImageElement).src))
          addProblem(`loads ${value}`);
        if (name === 'class') {
          for (const one of element.classList)
            if (!classes.has(one) && !/^syn-/.test(one)) addProblem(`is of class ${one}`);
          if (isContent && ![...element.classList].every((one) => inMarkdown.test(one)))
            addProblem(`has the class ${value} of ours`);
        }
        if (isContent && (name === 'part' || name === 'id' || name === 'style'))
          addProblem(`has ${name}=${value}`);
      }
      if (tag === 'a' && element.hasAttribute('href')) {
        const { target, rel } = element as HTMLAnchorElement;
        if (target !== '_blank' || !/noopener/.test(rel))
          addProblem('opens in this tab, or knows who opened it');
      }
      if (element.shadowRoot) addProblem('has a shadow root');
      // Only the chat's own elements may be positioned over others.
      const { position } = getComputedStyle(element);
      if (position === 'fixed' && !element.matches('.window, .launcher, dialog.large'))
        addProblem('is fixed');
    };
    for (const element of root.querySelectorAll('*')) check(element);

    // The host page.
    for (const element of document.querySelectorAll(
      'html > :not(head, body, platform-webchat), base, meta[http-equiv]',
    ))
      problems.add(`${element.localName} in the page`);
    const foreign = document.querySelectorAll('head > :not(meta, title, script, link[rel=modulepreload])');
    for (const element of foreign) problems.add(`${element.localName} in the head`);
    const { builtIns } = window as unknown as { builtIns: Set<string> };
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      if (!builtIns.has(name)) problems.add(`Object.prototype.${name}`);
    }
    if ('polluted' in {}) problems.add('Object.prototype is polluted');
    if (document.title !== 'A page') problems.add('the title is another one');

    // Layout: the page is unchanged, header and composer are in position, nothing is wider than the window.
    const heading = document.querySelector('h1');
    if (heading?.textContent !== 'A page') problems.add('the heading of the page is another one');
    const box = (selector: string) => root.querySelector(selector)?.getBoundingClientRect();
    const [frame, header, composer, viewport] = ['.window', '.header', '.composer', '.viewport'].map(box);
    if (!frame || !header || !composer || !viewport) return [...problems, 'A part of the window is gone.'];
    if (
      Math.abs(header.top - frame.top) > 1 ||
      Math.abs(header.width - frame.width) > 1 ||
      header.height > 120
    )
      problems.add('the header has moved');
    if (composer.bottom > frame.bottom || composer.top < frame.top + 100 || composer.width < frame.width - 40)
      problems.add('the composer has moved');
    for (const [area, name] of [
      [header, '.header'],
      [composer, '.composer'],
    ] as const) {
      const top = root.elementFromPoint(area.left + area.width / 2, area.top + area.height / 2);
      if (!top?.closest(name)) problems.add(`${name} is covered by ${top?.className}`);
    }
    for (const element of root.querySelectorAll(
      '.bubble, .options, .option, .card, .thing, .viewport, .name, .footer',
    )) {
      const { left, right } = element.getBoundingClientRect();
      if (element.closest('.carousel ul')) continue;
      if (left < frame.left - 1 || right > frame.right + 1)
        problems.add(`.${element.className} is wider than the window: ${element.textContent?.slice(0, 60)}`);
    }
    const scroller = root.querySelector('.viewport');
    if (!scroller || scroller.scrollLeft || getComputedStyle(scroller).overflowX !== 'hidden')
      problems.add('the messages scroll sideways');
    return [...problems];
  });
}
