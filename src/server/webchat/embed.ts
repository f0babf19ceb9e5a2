// The HTML that puts a chat on a page, and the page that is one. Addresses and configurations are escaped for where they
// stand.
import type { EmbedType } from '../../protocol/admin.ts';
import type { Configuration } from '../../protocol/config.ts';

/** Where a chat is and what is stored for it. */
export interface Embedded {
  /** The server's address, without a slash at the end. */
  address: string;
  webhookId: string;
  configuration: Configuration;
}

const tag = (src: string, rest: string): string => `<script src="${escaped(src)}"${rest}></script>`;
const served = ({ address, webhookId }: Embedded): string => `${address}/chat/${webhookId}/webchat.js`;

/** By type: HTML to be pasted into a page, or an address to be given away. */
export const embedCode: Record<EmbedType, (chat: Embedded) => string> = {
  preconfigured: (chat) => tag(served(chat), ' async'),
  // Not async: `platform` has to be there for the next one.
  configurable: ({ address, webhookId, configuration }) =>
    `${tag(`${address}/webchat/webchat.js`, '')}\n<script>\n  platform.init(${literal({
      chatUrl: `${address}/chat/${webhookId}`,
      configuration,
    }).replaceAll('\n', '\n  ')});\n</script>`,
  fullscreen: (chat) => tag(served(chat), ' data-target="body" async'),
  sharableUrl: ({ address, webhookId }) => `${address}/chat/${webhookId}/page`,
};

/** A page that is nothing but the chat; seen from `/chat/{webhookId}/page`. */
export function chatPage(title: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<body>
<script src="webchat.js" data-target="body" async></script>
</html>
`;
}

/** A text in HTML, also within quotes: a host may hold some (WHATWG URL, "forbidden host code points"). */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A value as JavaScript that may stand inside <script>. */
const literal = (value: object): string =>
  // "</script>" and "<!--" would end the script, or hide its end.
  JSON.stringify(value, undefined, 2).replaceAll('<', '\\u003c');
