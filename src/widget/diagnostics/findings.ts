// Everything that the doctor can find, in one table: how grave it is, what it means, what cures it. docs/reference/errors.md is
// made of it. It looks at nothing itself.
import type { Finding } from '../../protocol/page-api.ts';

type Row = readonly [severity: Finding['severity'], meaning: string, cure: string];

/** `error`: because of it the chat does not show or does not connect. `warning`: it works, but not whole. */
export const findings = {
  chat_url_missing: [
    'error',
    'Nothing says where the chat is.',
    'Give the script tag data-chat-url="https://HOST/chat/WEBHOOK", or call platform.init({chatUrl}).',
  ],
  chat_url_wrong: [
    'error',
    'What should be the address of the chat is none.',
    'Write it whole: https://HOST/chat/WEBHOOK.',
  ],
  not_initialized: [
    'error',
    'The script is there, but the chat was not started, or was destroyed.',
    'Call platform.init(); or take data-manual off the script tag, so that it starts by itself.',
  ],
  target_missing: [
    'error',
    'The element that the chat should fill is not in the page.',
    'Put the element into the page before init() is called, or correct target (data-target).',
  ],
  script_twice: [
    'warning',
    'The page has more than one script tag of the chat; only the first counts.',
    'Take away all script tags of the chat but one; look into tag managers, too.',
  ],
  script_module: [
    'warning',
    'A script tag of the chat has type="module", under which it does nothing.',
    'Take type="module" off the script tag.',
  ],
  script_outdated: [
    'warning',
    'The browser, or a cache on the way, holds another version of webchat.js than the server.',
    'Reload without the cache; if it stays, empty the cache (CDN) in front of webchat.js.',
  ],
  configuration_wrong: [
    'warning',
    'A field of the configuration is unknown or has a wrong value; it falls back.',
    'Correct it as docs/reference/configuration.md says.',
  ],
  host_removed: [
    'error',
    'The page has taken the element of the chat away.',
    'Keep <platform-webchat> when the page replaces its content, or call platform.init() again after it.',
  ],
  launcher_hidden: [
    'error',
    'The launcher (or the window) is in the page, but not to be seen.',
    'Take away the style that hides it: look for ::part(...), --pw- properties and additionalStylesheet.',
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
  launcher_off: [
    'warning',
    'launcher is false, and no element of the page opens the chat.',
    'Give an element data-platform-open, call platform.open(), or take launcher: false away.',
  ],
  browser_too_old: [
    'error',
    'The browser lacks what the chat stands on.',
    'Update the browser: Chrome or Edge 108, Firefox 112, Safari 16.4 or later.',
  ],
  offline: [
    'error',
    'The browser says that it is offline.',
    'Connect to the network; the chat then goes on by itself.',
  ],
  mixed_content: [
    'error',
    'The page came by https, the chat would come by http, which browsers refuse.',
    'Serve the chat by https and write its address so.',
  ],
  csp_connect: [
    'error',
    'The content security policy of the page lets it not talk to the server.',
    'Add the origin of the chat to connect-src.',
  ],
  csp_script: [
    'error',
    'The content security policy of the page lets a file of the chat not run.',
    'Give the script tag the nonce of the page, or add the origin of the files to script-src.',
  ],
  csp_images: [
    'warning',
    'The content security policy of the page lets no pictures of the chat show.',
    'Add the origin of the chat to img-src, and to media-src for sound and films.',
  ],
  csp_trusted_types: [
    'warning',
    'The page enforces Trusted Types and does not allow the policy of the chat: Markdown stays plain text.',
    'Add platform-webchat to the directive trusted-types.',
  ],
  server_unreachable: [
    'error',
    'No server answers at the address of the chat.',
    'See that the server runs, and that name, port, certificate and firewall let this browser reach it.',
  ],
  address_wrong: [
    'error',
    'A server answers, but there is no chat at this address.',
    'Correct the address of the chat: https://HOST/chat/WEBHOOK, as the server prints it at its start.',
  ],
  origin_refused: [
    'error',
    'The server does not let pages of this origin in.',
    'Add the origin to the setting ALLOWED_ORIGINS of the server.',
  ],
  answer_unreadable: [
    'error',
    'A server answers, but without the CORS headers by which this page may read the answer.',
    'Correct the address of the chat; see that no proxy answers in its place or takes Access-Control headers away.',
  ],
  preflight_refused: [
    'error',
    'Plain requests are answered, those with a user key are stopped before they are sent (CORS preflight).',
    'Let the proxy pass OPTIONS requests and all Access-Control headers on.',
  ],
  rate_limited: [
    'error',
    'The server, or a proxy before it, has had too many requests (429).',
    'Wait as long as it says, or raise the limit.',
  ],
  server_failed: [
    'error',
    'The server, or a proxy before it, fails (5xx).',
    'Look into the log of the server; with a proxy, see that the server behind it runs.',
  ],
  key_refused: [
    'error',
    'The server refuses the user key that the page gives.',
    'Sign a new key with the USER_KEY_SECRET of this server: docs/guides/identify.md.',
  ],
  visitor_gone: [
    'warning',
    'The server no longer knows the visitor that this browser remembers; the chat begins anew.',
    'Nothing, if users were deleted or the secret was changed; otherwise keep USER_KEY_SECRET and the database.',
  ],
  conversation_gone: [
    'warning',
    'The server no longer has the conversation that this browser remembers; the chat begins a new one.',
    'Nothing, if it was deleted; otherwise keep the database.',
  ],
  stream_blocked: [
    'error',
    'The stream of messages does not open: answers of the bot do not come.',
    'Let the proxy pass requests to .../listen on, without a time limit under 60 seconds.',
  ],
  stream_wrong_type: [
    'error',
    'What answers in place of the stream of messages is no stream.',
    'Let the proxy pass requests to .../listen on to the server, and do not change their answers.',
  ],
  stream_buffered: [
    'error',
    'The stream of messages opens, but nothing comes through: something on the way collects it.',
    'Switch buffering and compression off for .../listen (nginx: proxy_buffering off).',
  ],
  chunk_failed: [
    'error',
    'A file of the chat cannot be loaded.',
    'Serve all files of the folder webchat/ beside webchat.js, as JavaScript, from one build.',
  ],
  storage_blocked: [
    'warning',
    'The browser refuses its storage: every page view is a new visitor.',
    'Allow the storage for this site; in a sandboxed frame add allow-same-origin.',
  ],
  storage_full: [
    'warning',
    'The storage of this site is full: every page view is a new visitor.',
    'Remove what the page keeps in localStorage and sessionStorage.',
  ],
  storage_corrupt: [
    'warning',
    'What is stored for this chat is not what the chat stored.',
    'Remove the entry; the chat then begins anew.',
  ],
  storage_partitioned: [
    'warning',
    'The page stands in a frame of another site: browsers keep its storage apart, or not at all.',
    'Put the chat into the outer page where conversations are to be remembered.',
  ],
  clock_wrong: [
    'warning',
    'The clock of this device is wrong by more than five minutes: times of messages are, too.',
    'Set the clock of the device (or of the server, if that is the wrong one).',
  ],
  internal: ['warning', 'A check of the doctor failed itself.', 'Tell us, with the detail.'],
} as const satisfies Record<string, Row>;

export type FindingCode = keyof typeof findings;

/** One finding. `message` names the culprit; `detail` is what the server or the browser said. */
export function finding(code: FindingCode, message: string, detail?: string): Finding {
  const [severity, , cure] = findings[code];
  return { code, severity, message, cure, ...(detail && { detail }) };
}
