// A service to sign in with (oidc-provider) with its own login pages, on loopback.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface OidcService {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The accounts of the service, by their names for the login. Any password is right. */
  accounts: Record<string, { email: string; isVerified: boolean }>;
  close(): void;
}

/** Starts the service for a server that is reached at `publicUrl`. */
export async function startOidcService(publicUrl: string): Promise<OidcService> {
  const accounts: OidcService['accounts'] = {};
  const client = { clientId: 'webchat', clientSecret: 'a secret of the service' };
  const service = createServer();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${publicUrl}/inbox/`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['for tests'] },
    pkce: { required: () => true },
    findAccount: (_, id) => {
      const { email, isVerified } = accounts[id] ?? {};
      return {
        accountId: id,
        claims: async () => ({ sub: id, email, email_verified: isVerified, name: `Name of ${id}` }),
      };
    },
  });
  service.on('request', provider.callback());
  return {
    issuer,
    ...client,
    accounts,
    close() {
      service.closeAllConnections();
      service.close();
    },
  };
}
