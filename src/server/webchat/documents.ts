// The documents that are derived from the stored configuration of a bot, as bytes with an ETag.
import { limits } from '../../protocol/limits.ts';
import { type Configuration, type FieldName, secretFields } from '../../protocol/page-api/config.ts';
import { readMediaTypes } from '../../protocol/page-api/file-fields.ts';
import type { EmbedType } from '../../protocol/types/chat.ts';
import type { Feature, Webchat } from '../../protocol/webchat.ts';
import { type Asset, createAsset } from '../api/asset.ts';
import { escaped } from '../api/html.ts';
import { type BotFileLimits, type FileLimits, isAllowed } from '../files/index.ts';

/** The response of `GET {chat}/webchat`, as bytes. */
export interface WebchatAsset extends Asset {
  /** The field `botName` of the configuration. */
  botName: string | undefined;
  fileLimits: BotFileLimits;
}

/** The parts that do not depend on the stored configuration. */
export interface WebchatOptions {
  botUserId: string;
  /** The values of fields that are not stored. */
  defaults: Configuration;
  features: readonly Feature[];
  fileLimits: FileLimits;
  sandboxOrigin?: string | undefined;
}

/** The document that is asked for. */
export type DocumentRequest =
  | { kind: 'stored' }
  | { kind: 'embed'; type: EmbedType; address: string; webhookId: string }
  | { kind: 'webchat'; options: WebchatOptions }
  /** The script of the widget; its source is the document `webchat`. */
  | { kind: 'script'; script: string };

/** Creates a document. `source`: the JSON of the stored configuration, unless `request` says otherwise. */
export async function createDocument(
  source: string,
  request: DocumentRequest,
): Promise<Asset | WebchatAsset> {
  if (request.kind === 'script') {
    // Adds the folder of the chunks to the JSON object without parsing it.
    const json = `${source.slice(0, -1)},"assets":${JSON.stringify(assets)}}`;
    return createAsset(boot(request.script, json), 'text/javascript; charset=utf-8');
  }
  const configuration = withoutSecrets(JSON.parse(source) as Configuration);
  if (request.kind === 'stored') return jsonAsset({ configuration });
  if (request.kind === 'embed') {
    const { type, address, webhookId } = request;
    return jsonAsset({ configuration, code: embedCode[type]({ address, webhookId, configuration }) });
  }
  const { botUserId, defaults, features, fileLimits: server, sandboxOrigin } = request.options;
  const whole = { ...withoutSecrets(defaults), ...configuration };
  const fileLimits = fileLimitsOf(server, whole);
  const webchat: Webchat = {
    configuration: whole,
    botUserId,
    features: [...features],
    limits: {
      messageBytes: limits.messageBytes,
      fileBytes: fileLimits.maxBytes,
      fileTypes: commonTypes(fileLimits.types),
      ...(fileLimits.perMessage !== undefined && { filesPerMessage: fileLimits.perMessage }),
    },
    ...(sandboxOrigin !== undefined && { sandboxOrigin }),
  };
  return { ...(await jsonAsset(webchat)), botName: whole.botName, fileLimits };
}

const jsonAsset = (value: object): Promise<Asset> =>
  createAsset(Buffer.from(JSON.stringify(value)), 'application/json');

function withoutSecrets(configuration: Configuration): Configuration {
  const entries = Object.entries(configuration).filter(([name]) => !secretFields.includes(name as FieldName));
  return Object.fromEntries(entries) as Configuration;
}

/** The string literal in the built script that the boot data replaces; the minifier chooses the quotes. */
const placeholder = /(["'`])%WEBCHAT_BOOT%\1/;

/** The folder of the script's chunks, relative to `/chat/{webhookId}/webchat.js`. */
const assets = '../../webchat/';

/** Inserts the boot data as a string literal with JSON: parsing it is faster than an object literal, and safe. */
function boot(script: string, json: string): Buffer {
  // In single quotes JSON needs few escapes: 40 bytes less per page.
  const literal = `'${json.replace(/[\\']/g, '\\$&')}'`;
  return Buffer.from(script.replace(placeholder, () => literal));
}

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

/** By type: HTML to paste into a page, or an address to share. Addresses and configurations are escaped for their context. */
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

/** The limits of the files of visitors for one bot: those of the server's settings, narrowed by the stored configuration. */
export function fileLimitsOf(server: FileLimits, configuration: Configuration): BotFileLimits {
  const { maxFiles, maxFileBytes, fileTypes } = configuration;
  return {
    maxBytes: Math.min(server.maxBytes, Math.floor(maxFileBytes ?? server.maxBytes)),
    // A type must match both lists: the intersection of two lists of patterns can be empty, which would mean all.
    types: [server.types, readMediaTypes(fileTypes)].filter((patterns) => patterns.length > 0),
    perMessage: maxFiles === undefined ? undefined : Math.floor(maxFiles),
  };
}

/** The patterns of both lists, for clients that read one list. The bot's list if the two have nothing in common. */
export function commonTypes([first = [], second = first]: readonly (readonly string[])[]): string[] {
  const common = [
    ...second.filter((type) => isAllowed(type, first)),
    ...first.filter((type) => isAllowed(type, second)),
  ];
  return common.length > 0 ? [...new Set(common)] : [...second];
}
