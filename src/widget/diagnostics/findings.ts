// The table of all findings of platform.doctor(): severity, meaning and cure. docs/reference/errors.md is generated from it.
import type { Finding } from '../../protocol/page-api/page-api.ts';

type Row = readonly [severity: Finding['severity'], meaning: string, cure: string];

/** `error`: it keeps the chat from showing or connecting. `warning`: the chat works, but not fully. */
export const findings = {
  chat_url_missing: [
    'error',
    'The address of the chat is not configured.',
    'Give the script tag data-chat-url="https://HOST/chat/WEBHOOK", or call platform.init({chatUrl}).',
  ],
  chat_url_wrong: [
    'error',
    'The configured address of the chat is not a valid address.',
    'Write it whole: https://HOST/chat/WEBHOOK.',
  ],
  not_initialized: [
    'error',
    'The script has loaded, but the chat was not started, or was destroyed.',
    'Call platform.init(); or remove data-manual from the script tag, so that it starts by itself.',
  ],
  target_missing: [
    'error',
    'The element that the chat should fill is not in the page.',
    'Put the element into the page before init() is called, or correct target (data-target).',
  ],
  script_twice: [
    'warning',
    'The page has more than one script tag of the chat; only the first counts.',
    'Remove all script tags of the chat but one; also check tag managers.',
  ],
  script_module: [
    'warning',
    'A script tag of the chat has type="module", with which it does not work.',
    'Remove type="module" from the script tag.',
  ],
  script_outdated: [
    'warning',
    'The browser, or a cache on the way, holds another version of webchat.js than the server.',
    'Reload without the cache; if it stays, empty the cache (CDN) in front of webchat.js.',
  ],
  configuration_wrong: [
    'warning',
    'A field of the configuration is unknown or has a wrong value; it falls back.',
    'Correct it: docs/reference/configuration.md.',
  ],
  host_removed: [
    'error',
    'The page has removed the element of the chat.',
    'Keep <platform-webchat> when the page replaces its content, or call platform.init() again after it.',
  ],
  launcher_hidden: [
    'error',
    'The launcher (or the window) is in the page, but not visible.',
    'Remove the style that hides it: look for ::part(...), --pw- properties and additionalStylesheet.',
  ],
  launcher_outside: [
    'error',
    'The launcher (or the window) lies outside the visible page.',
    'Correct offset, position, --pw- properties, or the style sheet that moves it.',
  ],
  launcher_covered: [
    'error',
    'Another element of the page lies over the launcher (or the window).',
    'Move or remove that element, or move the chat by position and offset.',
  ],
  launcher_inert: [
    'error',
    'The page makes the launcher (or the window) inert, by the attribute inert or by a modal dialog.',
    'Remove inert from the element; close the dialog, put the chat into it, or open it by show() in place of showModal().',
  ],
  launcher_off: [
    'warning',
    'The page hides the launcher (launcher: false, or platform.hide()), and no element of the page opens the chat.',
    'Give an element data-platform-open, call platform.open(), remove launcher: false, or call platform.show().',
  ],
  browser_too_old: [
    'error',
    'The browser does not support features that the chat requires.',
    'Update the browser: Chrome or Edge 108, Firefox 112, Safari 16.4 or later.',
  ],
  offline: [
    'error',
    'The browser reports that it is offline.',
    'Connect to the network; the chat then reconnects by itself.',
  ],
  mixed_content: [
    'error',
    'The page was loaded by https and the address of the chat is http, which browsers block.',
    'Serve the chat by https and use its https address.',
  ],
  csp_connect: [
    'error',
    'The content security policy of the page blocks requests to the server.',
    'Add the origin of the chat to connect-src.',
  ],
  csp_script: [
    'error',
    'The content security policy of the page blocks a script of the chat.',
    'Give the script tag the nonce of the page, or add the origin of the files to script-src.',
  ],
  csp_images: [
    'warning',
    'The content security policy of the page blocks pictures of the chat.',
    'Add the origin of the chat to img-src, and to media-src for audio and video.',
  ],
  csp_trusted_types: [
    'warning',
    'The page enforces Trusted Types and does not allow the policy of the chat: Markdown stays plain text.',
    'Add platform-webchat to the directive trusted-types.',
  ],
  server_unreachable: [
    'error',
    'No server responds at the address of the chat.',
    'Check that the server runs, and that host name, port, certificate and firewall let this browser reach it.',
  ],
  address_wrong: [
    'error',
    'A server responds, but there is no chat at this address.',
    'Correct the address of the chat: https://HOST/chat/WEBHOOK, as the server prints it at its start.',
  ],
  origin_refused: [
    'error',
    'The server does not allow pages of this origin.',
    'Add the origin to the setting ALLOWED_ORIGINS of the server.',
  ],
  answer_unreadable: [
    'error',
    'A server responds, but without the CORS headers that let this page read the response.',
    'Correct the address of the chat; check that no proxy responds instead or removes Access-Control headers.',
  ],
  preflight_refused: [
    'error',
    'Requests without a user key succeed, those with one fail in the CORS preflight.',
    'Configure the proxy to forward OPTIONS requests and all Access-Control headers.',
  ],
  rate_limited: [
    'error',
    'The server, or a proxy in front of it, has received too many requests (429).',
    'Wait as long as the response requires, or raise the limit.',
  ],
  server_failed: [
    'error',
    'The server, or a proxy in front of it, fails (5xx).',
    'Check the log of the server; with a proxy, check that the server behind it runs.',
  ],
  key_refused: [
    'error',
    'The server refuses the user key that the page has set.',
    'Sign a new key with USER_KEY_SECRET, or the first of USER_KEY_SECRETS, of this server: docs/guides/identify.md.',
  ],
  key_wrong: [
    'error',
    'The secret of the user key that the page has set is right, but the server does not accept what the key says.',
    'Correct what the detail names, or sign a new key: docs/guides/identify.md.',
  ],
  visitor_gone: [
    'warning',
    'The server no longer knows the visitor that this browser remembers; the chat starts with a new visitor.',
    'None is needed if users were deleted or the secret was changed; otherwise keep the old secret in USER_KEY_SECRETS, and the database.',
  ],
  conversation_gone: [
    'warning',
    'The server no longer has the conversation that this browser remembers; the chat starts a new one.',
    'None is needed if it was deleted; otherwise keep the database.',
  ],
  stream_blocked: [
    'error',
    'The message stream does not open: answers of the bot do not arrive.',
    'Configure the proxy to forward requests to .../listen, with a time limit of at least 60 seconds.',
  ],
  stream_wrong_type: [
    'error',
    'The response to the request for the message stream is not an event stream.',
    'Configure the proxy to forward requests to .../listen to the server, and not to change the responses.',
  ],
  stream_buffered: [
    'error',
    'The message stream opens, but nothing arrives: a proxy buffers it.',
    'Turn off buffering and compression for .../listen (nginx: proxy_buffering off).',
  ],
  chunk_failed: [
    'error',
    'A file of the chat cannot be loaded.',
    'Serve all files of the folder webchat/ next to webchat.js, as JavaScript, from one build.',
  ],
  storage_blocked: [
    'warning',
    'The browser blocks its storage: every page view is a new visitor.',
    'Allow storage for this site; in a sandboxed frame, add allow-same-origin.',
  ],
  storage_full: [
    'warning',
    'The storage of this site is full: every page view is a new visitor.',
    'Remove data of the page from localStorage and sessionStorage.',
  ],
  storage_corrupt: [
    'warning',
    'The stored record of this chat is not valid.',
    'Remove the entry; the chat then starts with a new visitor.',
  ],
  storage_partitioned: [
    'warning',
    'The page is in a frame of another site: browsers partition or block its storage.',
    'Embed the chat in the outer page if conversations must be resumed.',
  ],
  clock_wrong: [
    'warning',
    'The clock of this device is wrong by more than five minutes, so the times of messages are wrong.',
    'Set the clock of the device (or of the server, if that is the wrong one).',
  ],
  internal: ['warning', 'A check of platform.doctor() failed.', 'Report it with the detail.'],
} as const satisfies Record<string, Row>;

export type FindingCode = keyof typeof findings;

/** Creates a finding. @param message names the cause. @param detail the text of the server or the browser. */
export function finding(code: FindingCode, message: string, detail?: string): Finding {
  const [severity, , cure] = findings[code];
  return { code, severity, message, cure, ...(detail && { detail }) };
}
