// Loads the script of the chat from the site's chat server, once for the page.
import { platformError } from '../../protocol/error.ts';
import type { Platform } from '../../widget/global.ts';
import { ownFields } from './own-fields.ts';

export interface LoadOptions {
  /** The address of webchat.js. */
  src: string;
  /** The hash of the file, for a static file: `sha384-…`. The server must allow the page's origin. */
  integrity?: string | undefined;
  /** The nonce of the page's content security policy. */
  nonce?: string | undefined;
  /** The time limit. Default: 20 seconds. */
  timeoutMs?: number | undefined;
}

/** The load that is running, so that the page gets only one script. */
let loading: { href: string; result: Promise<Platform> } | undefined;
/** Scripts of the page that will not run. A script element does not say that it has failed. */
const failed = new WeakSet<HTMLScriptElement>();
/** Scripts of the page that did not run in time once: slow ones, or ones that have failed before they were awaited. */
const slow = new WeakSet<HTMLScriptElement>();
let policy: Pick<TrustedTypePolicy, 'createScriptURL'> | undefined;

/**
 * Loads the script of the chat, and returns `window.platform`. The script does not start a chat by itself: call
 * `init()` or `create()`. If the script is on the page already, or is loading, that one is used. After a failure the
 * next call tries again; a script of the page that was only slow is awaited a second time. Rejects with a PlatformError:
 * `no_window` on a server, `script_blocked`, `script_failed`, `script_timeout`.
 */
export function loadWebchat(options: LoadOptions): Promise<Platform> {
  const result = typeof document === 'undefined' ? Promise.reject(noWindow()) : load(ownFields(options));
  // A caller that keeps the promise for later would otherwise end a server, or report an error twice.
  result.catch(() => {});
  return result;
}

const noWindow = () => platformError('no_window', 'loadWebchat() needs a window: call it in the browser.');

function load(options: LoadOptions): Promise<Platform> {
  const present = findPlatform();
  if (present) return Promise.resolve(present);
  const { href } = new URL(options.src, document.baseURI);
  // The failure of a script of another address is not that of this one.
  if (loading && loading.href !== href) return loading.result.catch(() => load(options));
  loading ??= {
    href,
    result: addScript(href, options).finally(() => {
      loading = undefined;
    }),
  };
  return loading.result;
}

/** A script of the page that may still run. */
function findScript(href: string): HTMLScriptElement | undefined {
  // All scripts of the document have run then. One that was added later is over if its request has ended. A preload is
  // the request of a `link`, and a script that uses it has no other: it runs at once.
  const isOver =
    document.readyState === 'complete' &&
    performance
      .getEntriesByName(href)
      .some((entry) => (entry as PerformanceResourceTiming).initiatorType === 'script');
  return isOver
    ? undefined
    : [...document.scripts].find((script) => script.src === href && !failed.has(script));
}

/** `window.platform`, unless it is still a list of functions to run later, or an element with this id. */
function findPlatform(): Platform | undefined {
  const { platform } = window;
  return platform && 'init' in platform && typeof platform.init === 'function' ? platform : undefined;
}

function addScript(href: string, { integrity, nonce, timeoutMs = 20_000 }: LoadOptions): Promise<Platform> {
  const existing = findScript(href);
  const script = existing ?? document.createElement('script');
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    let isBlocked = false;
    const fail = (code: 'script_blocked' | 'script_failed' | 'script_timeout', text: string) => {
      settle();
      if (!existing) script.remove();
      // A second one beside it would be the same request. One that is awaited twice in vain is replaced.
      else (code !== 'script_timeout' || slow.has(existing) ? failed : slow).add(existing);
      reject(platformError(code, `${href} ${text}`));
    };
    const timer = setTimeout(fail, timeoutMs, 'script_timeout', 'was not loaded in time.');
    const settle = () => {
      clearTimeout(timer);
      settled.abort();
    };
    const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
      isBlocked ||= /^(script-src|default-src)/.test(effectiveDirective) && href.startsWith(blockedURI);
    };
    const onLoad = () => {
      const platform = findPlatform();
      if (!platform) return fail('script_failed', 'is not the script of the chat.');
      settle();
      resolve(platform);
    };
    const onError = () =>
      isBlocked
        ? fail('script_blocked', "is blocked by the page's policy.")
        : fail('script_failed', 'could not be loaded, or its integrity is wrong.');
    const until = ownFields({ signal: settled.signal });
    document.addEventListener('securitypolicyviolation', onViolation, until);
    script.addEventListener('load', onLoad, until);
    script.addEventListener('error', onError, until);
    if (existing) return;
    script.async = true;
    script.dataset.manual = '';
    if (nonce) script.nonce = nonce;
    if (integrity) {
      script.integrity = integrity;
      script.crossOrigin = 'anonymous';
    }
    try {
      script.src = trusted(href);
    } catch {
      return fail('script_blocked', 'needs the Trusted Types policy platform-webchat-loader.');
    }
    document.head.append(script);
  });
}

/** Allows the address on pages that enforce Trusted Types. */
function trusted(href: string): string {
  try {
    policy ??= window.trustedTypes?.createPolicy('platform-webchat-loader', {
      createScriptURL: (text: string) => text,
    });
  } catch {
    // The page does not allow this policy. Without enforcement the text is sufficient.
  }
  // The DOM types know only texts.
  return (policy?.createScriptURL(href) as string | undefined) ?? href;
}
