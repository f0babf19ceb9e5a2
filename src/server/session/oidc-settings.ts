// The settings for signing in with another service (OpenID Connect).
import * as v from 'valibot';
import { type Role, roles } from '../../protocol/permissions.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import { listOf, oneOf, type SettingsOf, setting } from '../startup/setting.ts';
import { StartError } from '../startup/start-error.ts';
import type { OidcOptions } from './oidc.ts';

/** Only an owner can add an owner. */
const joinable = roles.filter((role) => role !== 'owner');
const joinMessage = `must be pairs of domain and role, separated by commas, such as \`example.com:developer\`; the roles are ${joinable.join(', ')}`;

export const oidcSettings = {
  OIDC_ISSUER: setting({
    doc: 'Address of a service with which members sign in (OpenID Connect). It must accept the redirect URI `PUBLIC_URL/inbox/`. `PUBLIC_URL` and `OIDC_CLIENT_ID` are then required.',
    defaultDoc: 'none',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) =>
          /^https:\/\/|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(text) && URL.canParse(text),
        'must be an https address',
      ),
    ),
  }),
  OIDC_CLIENT_ID: setting({
    doc: 'The name of this server at the service.',
    defaultDoc: 'none',
    schema: v.pipe(v.string(), v.maxLength(500, 'must be at most 500 characters')),
  }),
  OIDC_CLIENT_SECRET: setting({
    doc: 'The secret of this server at the service, if it has one.',
    defaultDoc: 'none',
    schema: v.string(),
    isSecret: true,
  }),
  OIDC_NAME: setting({
    doc: 'The name of the service on the page: "Sign in with NAME".',
    defaultDoc: 'the host of `OIDC_ISSUER`',
    schema: v.pipe(v.string(), v.maxLength(60, 'must be at most 60 characters')),
  }),
  OIDC_JOIN: setting({
    doc: 'E-mail domains with a role, such as `example.com:developer`, separated by commas. Everybody with an address in such a domain becomes a member of the first workspace, with this role, when they sign in with the service.',
    defaultDoc: 'nobody',
    schema: v.pipe(
      v.string(),
      v.toLowerCase(),
      listOf((pair) => new RegExp(`^[a-z0-9][a-z0-9.-]*:(?:${joinable.join('|')})$`).test(pair), joinMessage),
      v.transform((pairs) =>
        pairs.map((pair) => {
          const [domain = '', role] = pair.split(':');
          return { domain, role: role as Role };
        }),
      ),
    ),
  }),
  OIDC_ONLY: setting({
    doc: 'Whether members sign in with the service only: `on` refuses passwords and one-time links. Tokens keep working.',
    default: 'off',
    schema: oneOf('off', 'on'),
  }),
};

type OidcSettings = SettingsOf<typeof oidcSettings> & Pick<AddressSettings, 'PUBLIC_URL'>;

/** Returns how members sign in with another service; undefined without one. Throws StartError when a setting is missing. */
export function readOidc(settings: OidcSettings): OidcOptions | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ONLY, PUBLIC_URL: address } = settings;
  if (issuer === undefined) {
    if (OIDC_ONLY === 'on') throw new StartError('OIDC_ONLY needs OIDC_ISSUER, the service.');
    return undefined;
  }
  if (clientId === undefined) throw new StartError('OIDC_ISSUER needs OIDC_CLIENT_ID.');
  if (address === undefined)
    throw new StartError('OIDC_ISSUER needs PUBLIC_URL, to which the service returns.');
  return {
    issuer,
    address,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET,
    name: settings.OIDC_NAME ?? new URL(issuer).host,
    join: settings.OIDC_JOIN ?? [],
    isOnly: OIDC_ONLY === 'on',
  };
}
