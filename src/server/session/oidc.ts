// Sign-in with another service (OpenID Connect): authorization code with PKCE, state and nonce, by openid-client. The
// state of a started sign-in is in a signed cookie, so that any process can complete it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import { type Role, roles } from '../../protocol/permissions.ts';
import { admin } from '../../protocol/schemas/admin.ts';
import { ApiError } from '../api/errors.ts';
import { isLoopback, oidcCookie, readCookie } from '../auth/session-requests.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import { listOf, oneOf, type SettingsOf, setting } from '../startup/setting.ts';
import { StartError } from '../startup/start-error.ts';

export interface OidcOptions {
  /** The address of the service. */
  issuer: string;
  /** The public address of the server, to which the service returns: it must accept `ADDRESS/inbox/` as redirect URI. */
  address: string;
  clientId: string;
  clientSecret: string | undefined;
  /** The name on the button. */
  name: string;
  /**
   * Domains of e-mail addresses, with a role: people of these domains become members of the first workspace when they
   * sign in.
   */
  join: readonly { domain: string; role: Role }[];
  /** Members have no passwords and links. */
  isOnly: boolean;
}

/** The account that has signed in at the service. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  /** Verified by the service, in lower case. */
  email: string;
  name: string | null;
  /** The workspace that the member wanted to sign in to. */
  workspaceId: string | undefined;
}

export interface Oidc extends Pick<OidcOptions, 'name' | 'join' | 'isOnly'> {
  /**
   * Begins a sign-in. Returns the address of the service and the value of the cookie. Rejects with ServiceUnavailable.
   */
  start(workspaceId: string | undefined): Promise<{ url: string; cookie: string }>;
  /**
   * Completes a sign-in. `query`: the query of the address to which the service has sent the browser. Rejects with
   * Unauthorized.
   */
  finish(headers: Headers, query: string): Promise<OidcIdentity>;
}

/** The content of the cookie. */
interface Pending {
  state: string;
  nonce: string;
  verifier: string;
  workspaceId?: string;
  /** Milliseconds since 1970. */
  at: number;
}

const refused = (message = 'The sign-in was refused, or took too long. Try again.') =>
  new ApiError('Unauthorized', message);

export function createOidc(
  options: OidcOptions,
  { secret, logger, now }: { secret: string; logger: Logger; now(): number },
): Oidc {
  const { issuer, address, clientId, clientSecret, name, join, isOnly } = options;
  const redirectUri = `${address}/inbox/`;
  const key = createHmac('sha256', secret).update('sign-ins with another service').digest();
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  let discovered: Promise<Configuration> | undefined;

  /** The endpoints and keys of the service; requested again after a failure. */
  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client');
    const url = new URL(issuer);
    // Plain HTTP only on the own machine.
    const insecure = isLoopback(url.hostname) ? [allowInsecureRequests] : [];
    // Without it, the library trusts the connection to the service, and checks no signature of an ID token.
    const execute = [enableNonRepudiationChecks, ...insecure];
    return discovery(url, clientId, clientSecret, undefined, { timeout: 10, execute });
  }

  function configuration(): Promise<Configuration> {
    discovered ??= discover().catch((error: unknown) => {
      discovered = undefined;
      logger.error({ err: error }, 'the service of OIDC_ISSUER cannot be used');
      throw new ApiError('ServiceUnavailable', `${name} cannot be reached. Try again later.`);
    });
    return discovered;
  }

  function readPending(headers: Headers): Pending | undefined {
    const [text = '', signature = ''] = (readCookie(headers, address, oidcCookie.suffix) ?? '').split('.');
    const receivedSignature = Buffer.from(signature, 'base64url');
    const right = sign(text);
    if (receivedSignature.length !== right.length || !timingSafeEqual(receivedSignature, right))
      return undefined;
    const pending = JSON.parse(Buffer.from(text, 'base64url').toString()) as Pending;
    return now() < pending.at + oidcCookie.maxAge * 1_000 ? pending : undefined;
  }

  return {
    name,
    join,
    isOnly,
    async start(workspaceId) {
      const config = await configuration();
      const client = await import('openid-client');
      const pending: Pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        ...(workspaceId === undefined ? {} : { workspaceId }),
        at: now(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      const text = Buffer.from(JSON.stringify(pending)).toString('base64url');
      return { url: url.href, cookie: `${text}.${sign(text).toString('base64url')}` };
    },
    async finish(headers, query) {
      const pending = readPending(headers);
      if (!pending) throw refused();
      const config = await configuration();
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
      try {
        // Checks the state, the issuer, the nonce and the signature of the ID token, and the verifier at the service.
        const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          pkceCodeVerifier: pending.verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const token = tokens.claims();
        if (!token) throw refused();
        const { iss, sub } = token;
        // Most services put the e-mail address into the token; others return it only from the userinfo endpoint.
        const claims =
          token.email === undefined ? await fetchUserInfo(config, tokens.access_token, sub) : token;
        const { email, email_verified: isVerified, name: fullName } = claims as Record<string, unknown>;
        if (isVerified !== true) throw refused(`${name} has not verified your e-mail address.`);
        const address = v.safeParse(admin.email, email);
        // Of people, space around it is removed; a service does not send any.
        if (!address.success || email !== String(email).trim())
          throw refused(`${name} has no valid e-mail address of you.`);
        const displayName = v.safeParse(
          admin.name,
          String(fullName ?? '')
            .trim()
            .slice(0, limits.adminName),
        );
        return {
          issuer: iss,
          subject: sub,
          email: address.output,
          name: displayName.success ? displayName.output : null,
          workspaceId: pending.workspaceId,
        };
      } catch (error) {
        if (error instanceof ApiError) throw error;
        logger.warn({ err: error }, 'a sign-in with the service of OIDC_ISSUER was refused');
        throw refused();
      }
    },
  };
}

/** Only an owner can add an owner. */
const joinable = roles.filter((role) => role !== 'owner');
const joinMessage = `must be pairs of domain and role, separated by commas, such as \`example.com:developer\`; the roles are ${joinable.join(', ')}`;

/** The settings for signing in with another service (OpenID Connect). */
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
