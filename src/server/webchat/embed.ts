// The HTML that embeds a chat in a page, and the full-screen chat page. Addresses and configurations are escaped for their
// context.

import type { Configuration } from '../../protocol/page-api/config.ts';
import type { EmbedType } from '../../protocol/types/chat.ts';
import { escaped } from '../api/html.ts';

/** The address of a chat and its stored configuration. */
export interface Embedded {
  /** The server's address, without a slash at the end. */
  address: string;
  webhookId: string;
  configuration: Configuration;
}

/** A host can contain quotes (WHATWG URL, "forbidden host code points"). */
const tag = (src: string, rest: string): string => `<script src="${escaped(src)}"${rest}></script>`;
const scriptUrl = ({ address, webhookId }: Embedded): string => `${address}/chat/${webhookId}/webchat.js`;

/** By type: HTML to paste into a page, or an address to share. */
export const embedCode: Record<EmbedType, (chat: Embedded) => string> = {
  preconfigured: (chat) => tag(scriptUrl(chat), ' async'),
  // Not async: the next script uses `platform`.
  configurable: ({ address, webhookId, configuration }) =>
    `${tag(`${address}/webchat/webchat.js`, '')}\n<script>\n  platform.init(${literal({
      chatUrl: `${address}/chat/${webhookId}`,
      configuration,
    }).replaceAll('\n', '\n  ')});\n</script>`,
  fullscreen: (chat) => tag(scriptUrl(chat), ' data-target="body" async'),
  sharableUrl: ({ address, webhookId }) => `${address}/chat/${webhookId}/page`,
};

/** The full-screen chat page; addresses are relative to `/chat/{webhookId}/page`. */
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

/** A value as a JavaScript literal that is safe inside <script>. */
const literal = (value: object): string =>
  // "</script>" would end the script, "<!--" would hide its end.
  JSON.stringify(value, undefined, 2).replaceAll('<', '\\u003c');
