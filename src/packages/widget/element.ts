// The custom element `<platform-webchat>`: a chat as part of the page's own HTML. Its attributes are the fields of the
// configuration, its children are shown until the chat is there.
import type { Configuration, GetUserKey, Platform, WebchatUserFields } from '../../widget/global.ts';
import { bindOpen, type OpenBinding } from './open-binding.ts';
import { ownFields } from './own-fields.ts';
import { createWebchatStore } from './store.ts';
import type { WebchatOptions, WebchatStore } from './store-interface.ts';

const tag = 'platform-webchat';

/** Attributes of the element itself; all others are fields of the configuration, as on the script tag. */
const ownAttributes = ['chat-url', 'instance', 'placement', 'open', 'src', 'integrity', 'manual'];
const globalAttributes = /^(id|class|style|slot|hidden|title|lang|dir|role|part|is|nonce|(data|aria)-.*)$/;
/** Properties that a framework may have set before the element was defined. */
const properties = ['chatUrl', 'configuration', 'user', 'getUserKey', 'open'] as const;

const css = `
:host { display: contents }
:host([hidden]) { display: none }
:host([placement="inline"]) { display: block; height: 480px }`;

/** A server has no elements; there the class is never used. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const keyOf = ({ chatUrl, instance }: WebchatOptions) => `${chatUrl} ${instance}`;

/** The chat as an element. Its events are those of the chat, as `webchat-message`; they do not bubble. */
export class WebchatElement extends Base {
  #store: WebchatStore | undefined;
  #binding: OpenBinding | undefined;
  #end: (() => void) | undefined;
  /** Address and instance of the running chat. */
  #key = '';
  #configuration: Configuration | undefined;
  #user: WebchatUserFields | undefined;
  #getUserKey: GetUserKey | undefined;
  #platform: Platform | undefined;
  #content: HTMLSlotElement | undefined;
  #place: HTMLElement | undefined;
  #observer = globalThis.MutationObserver && new MutationObserver(() => this.#changed());

  get chatUrl(): string | null {
    return this.getAttribute('chat-url');
  }
  set chatUrl(address: string | null | undefined) {
    if (address) this.setAttribute('chat-url', address);
    else this.removeAttribute('chat-url');
  }
  get configuration(): Configuration | undefined {
    return this.#configuration;
  }
  set configuration(fields: Configuration | undefined) {
    this.#configuration = fields;
    this.#update();
  }
  get user(): WebchatUserFields | undefined {
    return this.#user;
  }
  set user(fields: WebchatUserFields | undefined) {
    this.#user = fields;
    this.#update();
  }
  /** Returns the user key when the chat needs it. */
  get getUserKey(): GetUserKey | undefined {
    return this.#getUserKey;
  }
  set getUserKey(callback: GetUserKey | undefined) {
    this.#getUserKey = callback;
    this.#update();
  }
  /** Whether the window is open. */
  get open(): boolean {
    return this.hasAttribute('open');
  }
  set open(isOpen: boolean) {
    this.toggleAttribute('open', isOpen);
  }
  /** The methods of the chat; undefined before the event `webchat-initialized`. */
  get platform(): Platform | undefined {
    return this.#platform;
  }
  /** Resolves when the chat is initialized. */
  get ready(): Promise<Platform> {
    return this.#store?.platform ?? Promise.resolve().then(() => this.#store?.platform ?? this.#missing());
  }

  connectedCallback(): void {
    // The script's own element has a shadow root before it is connected, and never starts another chat.
    if (this.shadowRoot && !this.#content) return;
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      Object.assign(this, { [name]: value });
    }
    this.#draw();
    this.#observer?.observe(this, ownFields({ attributes: true }));
    // Frameworks set properties after they have inserted an element.
    queueMicrotask(() => this.#start());
  }
  disconnectedCallback(): void {
    this.#observer?.disconnect();
    this.#end?.();
  }
  /** A move by `moveBefore()` keeps everything. */
  connectedMoveCallback(): void {}

  #draw(): void {
    if (this.#content) return;
    const root = this.attachShadow(ownFields({ mode: 'open' }));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    this.#content = document.createElement('slot');
    const chat = document.createElement('slot');
    chat.name = 'chat';
    root.append(this.#content, chat);
  }

  #options(): WebchatOptions | undefined {
    const chatUrl = this.chatUrl;
    if (!chatUrl) return;
    const attributes: Record<string, string> = {};
    for (const { name, value } of [...this.attributes]) {
      if (!ownAttributes.includes(name) && !globalAttributes.test(name)) {
        attributes[camelCase(name)] = value;
      }
    }
    const text = (name: string) => this.getAttribute(name) ?? undefined;
    return {
      chatUrl: new URL(chatUrl, document.baseURI).href,
      instance: text('instance'),
      src: text('src'),
      integrity: text('integrity'),
      nonce: this.nonce || undefined,
      configuration: this.#configuration,
      user: this.#user,
      getUserKey: this.#getUserKey,
      attributes,
    } as WebchatOptions;
  }

  #start(): void {
    if (this.#end || !this.isConnected || this.hasAttribute('manual')) return;
    const options = this.#options();
    if (!options) return;
    const store = createWebchatStore(options);
    this.#store = store;
    this.#key = keyOf(options);
    const release = store.acquire(this.#target());
    // Before the events are emitted: their handlers read `open`.
    const binding = bindOpen(store, this.open, (isOpen) => {
      this.open = isOpen;
    });
    this.#binding = binding;
    const stopEvents = store.on('*', ({ type, payload }) => this.#emit(type, payload));
    store.update(options);
    this.#end = () => {
      this.#end = this.#store = this.#platform = this.#binding = undefined;
      this.#show(true);
      binding.end();
      stopEvents();
      release();
    };
  }

  #target(): Element | undefined {
    const placement = this.getAttribute('placement');
    if (placement === 'page') return document.body;
    if (placement !== 'inline') return undefined;
    this.#place ??= Object.assign(document.createElement('div'), { slot: 'chat' });
    this.#place.style.display = 'contents';
    this.append(this.#place);
    return this.#place;
  }

  #emit(type: string, payload: unknown): void {
    if (type === 'webchat:initialized') {
      void this.#store?.platform.then((platform) => {
        this.#platform = platform;
      });
      this.#show(false);
    }
    const name = type.replace(':', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    this.dispatchEvent(
      new CustomEvent(name.startsWith('webchat-') ? name : `webchat-${name}`, ownFields({ detail: payload })),
    );
  }

  /** Shows or hides what the page has put into the element. */
  #show(isShown: boolean): void {
    if (this.#content) this.#content.hidden = !isShown;
  }

  #changed(): void {
    const options = this.#options();
    if (!this.#store) this.#start();
    else if (!options || keyOf(options) !== this.#key || this.hasAttribute('manual')) {
      this.#end?.();
      this.#start();
    } else {
      this.#binding?.follow(this.open);
      this.#store.update(options);
    }
  }

  #update(): void {
    const options = this.#store && this.#options();
    if (options) this.#store?.update(options);
  }

  #missing(): Promise<never> {
    return Promise.reject(new Error(`<${tag}> has not started: it needs chat-url, and a place in the page.`));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'platform-webchat': WebchatElement;
  }
}

if (globalThis.customElements && !customElements.get(tag)) customElements.define(tag, WebchatElement);
