// The settings of the addresses of the server.
import * as v from 'valibot';
import { listOf, matching, type SettingsOf, setting, wholeNumber } from './setting.ts';

export const addressSettings = {
  PORT: setting({
    doc: 'Port to listen on; `0` takes any free one.',
    default: '3000',
    schema: wholeNumber(0, 65_535),
  }),
  HOST: setting({
    doc: 'Address to listen on; `0.0.0.0` for all addresses of this machine.',
    default: '127.0.0.1',
    schema: matching(/^[\w.:-]+$/, 'must be a host name or an IP address'),
  }),
  PUBLIC_URL: setting({
    doc: 'Address that browsers use to reach this server. Links in bot messages and addresses of files begin with it.',
    defaultDoc: '`http://127.0.0.1:PORT`',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:\/\/[^/?#]+/.test(text) && URL.canParse(text),
        'must be an http or https address',
      ),
      v.transform((text) => text.replace(/\/+$/, '')),
    ),
  }),
  WEBHOOK_ID: setting({
    doc: 'The last part of the chat address `/chat/WEBHOOK_ID`.',
    default: 'demo',
    schema: matching(/^[\w-]{1,70}$/, 'must be 1 to 70 letters, digits, `_` or `-`'),
  }),
  ALLOWED_ORIGINS: setting({
    doc: 'Origins of the pages that can use the Chat, Files, Tables and Runtime APIs, separated by commas.',
    defaultDoc: 'all',
    schema: listOf(isOrigin, 'must be origins such as `https://example.com`, separated by commas'),
  }),
  SANDBOX_ORIGIN: setting({
    doc: 'Origin in which apps of bots run, such as `https://apps.example.net`: another host name of this server, under which it serves nothing else ([apps.md](../guides/apps.md)).',
    defaultDoc: 'none: apps are shown as text',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:/.test(text) && isOrigin(text),
        'must be an origin such as `https://apps.example.net`',
      ),
    ),
  }),
};

export type AddressSettings = SettingsOf<typeof addressSettings>;

function isOrigin(text: string): boolean {
  return text === 'null' || (URL.canParse(text) && new URL(text).origin === text);
}
