// The Content Security Policy of an app of a bot.

/** Names of the lists of a policy, with the directives of a Content Security Policy that they extend. */
const directives = {
  connectDomains: ['connect-src'],
  resourceDomains: ['script-src', 'style-src', 'img-src', 'font-src', 'media-src'],
  frameDomains: ['frame-src'],
  baseUriDomains: ['base-uri'],
} as const;

/** What an app can use without a declaration: what its document contains. */
const contained: Record<string, string> = {
  'script-src': "'unsafe-inline'",
  'style-src': "'unsafe-inline'",
  'img-src': 'data: blob:',
  'font-src': 'data:',
  'media-src': 'data: blob:',
};

/** An origin, in which the first label of the host may be `*`. Nothing that could end a directive. */
const domain = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/i;
/** Domains in a list, and characters of one: the policy is a header. */
const [mostDomains, longestDomain] = [10, 100];

/** Returns the Content Security Policy of an app. `policy` is of any shape: what is not a domain is left out. */
export function contentPolicyOf(policy: unknown): string {
  const sources: Record<string, string> = { ...contained };
  for (const [name, names] of Object.entries(directives)) {
    const list: unknown = Object(policy)[name];
    const domains = (Array.isArray(list) ? list : [])
      .filter((one) => typeof one === 'string' && one.length <= longestDomain && domain.test(one))
      .slice(0, mostDomains);
    for (const directive of names) {
      sources[directive] = [sources[directive], ...domains].filter(Boolean).join(' ') || "'none'";
    }
  }
  const listed = Object.entries(sources).map(([directive, list]) => `${directive} ${list}`);
  return ["default-src 'none'", ...listed, "form-action 'none'"].join('; ');
}
