// The content of a push, which the server encrypts and the service worker of a page shows.
export interface PushContent {
  /** Tells a service worker that also handles other pushes that this one is of a chat. */
  source: 'platform-webchat';
  title: string;
  /** The text of the answer, if the server is set so. */
  body?: string;
  /** Of the conversation: a newer notification replaces an earlier one. */
  tag: string;
  /** The page that a press opens, http or https. */
  url: string;
  /** The language of the texts, and its direction. */
  language: string;
  direction: 'ltr' | 'rtl';
}

/**
 * The name of an empty cache of the browser (CacheStorage), which a page and its service worker have in common: it exists from a
 * logout until the next subscription is stored, and the service worker shows no push meanwhile. A type, because bundles that share a
 * value get a file of their own.
 */
export type PushEnded = 'platform-webchat push ended';
