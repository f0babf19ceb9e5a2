// The documents that are derived from the stored configuration of a bot, as bytes with an ETag.

import { limits } from '../../protocol/limits.ts';
import { type Configuration, type FieldName, secretFields } from '../../protocol/page-api/config.ts';
import type { EmbedType } from '../../protocol/types/chat.ts';
import type { Feature, Webchat } from '../../protocol/webchat.ts';
import { type Asset, createAsset } from '../api/asset.ts';
import type { BotFileLimits, FileLimits } from '../files/index.ts';
import { embedCode } from './embed.ts';
import { commonTypes, fileLimitsOf } from './file-limits.ts';

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
