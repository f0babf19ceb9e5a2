// The content security policy that a page needs for the chat, made from its configuration. Pure: no DOM, no I/O.
import type { Configuration } from './config.ts';

/** The page and the chat for which the policy is made. */
export interface CspOptions {
  /** The address of the chat: `https://HOST/chat/BOT`. */
  chatUrl: string;
  /** The address of the folder of the widget's files; the default is `/webchat/` on the server of the chat. */
  assets?: string;
  /** The configuration of the chat. Fields that the server adds, and pictures of users, need sources of their own. */
  configuration?: Configuration;
  /** The nonce of the script tag. Without it the policy allows the addresses of the files. */
  nonce?: string;
  /** Whether the page enforces Trusted Types; the default is true. */
  trustedTypes?: boolean;
}

/** Why a source is in the policy. */
export interface CspReason {
  directive: string;
  source: string;
  /** The field of the configuration, or what the chat does. */
  reason: string;
}

export interface ContentSecurityPolicy {
  /** The sources by directive, in the order of the header. */
  directives: Record<string, string[]>;
  /** The value of the header `Content-Security-Policy`. */
  header: string;
  /** The same as an element for pages that cannot set headers. It must precede the script. */
  meta: string;
  reasons: CspReason[];
}

/** The fonts that the server has; any other name is loaded from Google. */
export const bundledFonts: readonly string[] = ['inter', 'rubik', 'ibm plex sans', 'fira code'];

/**
 * Returns the smallest policy under which everything works that the configuration uses. A page adds the sources of its own
 * content. Images of other servers that a visitor loads with a click (`remoteImages: 'click'`) are not included: they can
 * have any address.
 * @throws TypeError for an address that is not one, RangeError for a nonce that is not base64.
 */
export function contentSecurityPolicy(options: CspOptions): ContentSecurityPolicy {
  const { configuration = {}, nonce, trustedTypes = true } = options;
  const chat = new URL(options.chatUrl);
  const assets = new URL(options.assets ?? '/webchat/', chat);
  if (!isSource(chat.origin) || !isSource(assets.origin)) throw new TypeError('Not the address of a host.');
  if (nonce !== undefined && !/^[\w+/-]+={0,2}$/.test(nonce))
    throw new RangeError('The nonce is not base64.');
  const reasons: CspReason[] = [];
  const add: Add = (directive, source, reason) => {
    if (
      source !== undefined &&
      !reasons.some((reason) => reason.directive === directive && reason.source === source)
    )
      reasons.push({ directive, source, reason });
  };

  add('default-src', "'none'", 'Everything else is forbidden.');
  if (nonce === undefined) {
    add('script-src', chat.origin, 'The script of the chat.');
    add('script-src', assets.origin, 'The files that the script loads.');
  } else {
    add('script-src', `'nonce-${nonce}'`, 'The script tag. It covers the files that the script loads.');
  }
  add('connect-src', chat.origin, 'Messages, the stream, uploads.');
  add('img-src', chat.origin, 'Images that bots and visitors send.');
  addImages(configuration, add);
  add('media-src', chat.origin, 'Audio and video that bots and visitors send.');
  addFonts(configuration.fontFamily, assets.origin, add);
  if (configuration.additionalStylesheetUrl)
    add('style-src', originOf(configuration.additionalStylesheetUrl), 'additionalStylesheetUrl');
  if (trustedTypes) {
    add('require-trusted-types-for', "'script'", 'The page enforces Trusted Types.');
    add('trusted-types', 'platform-webchat', 'Markdown.');
  }

  const directives: Record<string, string[]> = {};
  for (const { directive, source } of reasons)
    directives[directive] = [...(directives[directive] ?? []), source];
  const header = Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
  // Sources contain no quotes other than single ones: origins, keywords, base64.
  const meta = `<meta http-equiv="Content-Security-Policy" content="${header}">`;
  return { directives, header, meta, reasons };
}

type Add = (directive: string, source: string | undefined, reason: string) => void;

function addImages(configuration: Configuration, add: Add): void {
  const { botAvatar, fabImage, remoteImages = 'click', imageOrigins = '' } = configuration;
  if (botAvatar) add('img-src', originOf(botAvatar), 'botAvatar');
  if (fabImage) add('img-src', originOf(fabImage), 'fabImage');
  if (remoteImages === 'all') add('img-src', 'https:', 'remoteImages: all');
  if (remoteImages !== 'listed') return;
  for (const origin of imageOrigins.split(/[\s,]+/)) {
    if (URL.canParse(origin)) add('img-src', originOf(origin), 'imageOrigins');
  }
}

function addFonts(name: string | undefined, assets: string, add: Add): void {
  // The widget does not load a font with another name.
  if (!name || !/^[\w -]+$/.test(name)) return;
  if (bundledFonts.includes(name.toLowerCase())) add('font-src', assets, 'fontFamily');
  else {
    add('font-src', 'https://fonts.gstatic.com', 'fontFamily');
    add('style-src', 'https://fonts.googleapis.com', 'fontFamily');
  }
}

/** The source of an address; that of the page for a relative one, undefined for an address that is not valid. */
function originOf(address: string): string | undefined {
  const page = 'https://page.invalid';
  if (!URL.canParse(address.trim(), page)) return undefined;
  const { origin } = new URL(address.trim(), page);
  if (!isSource(origin)) return undefined;
  return origin === page ? "'self'" : origin;
}

/** The URL standard also allows quotes, semicolons and commas in a host: they would end the attribute or the directive. */
const isSource = (origin: string): boolean => /^[\w:/.[\]-]+$/.test(origin);
