// Decides which addresses of push services the server sends to, because a visitor's browser, or anybody else, names them.

/** The push services of Chromium, Firefox, Safari and Edge. A pattern with `*.` matches all hosts below it. */
const publicServices = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** `service`: of a public push service; `own`: of a host that the operator has named; `refused`: any other. */
export type EndpointKind = 'service' | 'own' | 'refused';

/**
 * Returns the kind of an endpoint. `ownHosts`: host names that the operator has named, with a port if it is not the
 * default one. Only they may be in a private network, or without TLS.
 */
export function endpointKind(endpoint: string, ownHosts: readonly string[]): EndpointKind {
  if (!URL.canParse(endpoint)) return 'refused';
  const { protocol, host, hostname, port, username, password } = new URL(endpoint);
  if (username || password || !['https:', 'http:'].includes(protocol)) return 'refused';
  if (ownHosts.includes(host)) return 'own';
  if (protocol !== 'https:' || port) return 'refused';
  const isPublic = publicServices.some((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
  return isPublic ? 'service' : 'refused';
}
