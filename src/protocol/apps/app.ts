// Apps in answers: MCP Apps (https://modelcontextprotocol.io, specification of 2026-01-26). An app is a block of the bot; it runs in
// a frame of an origin that serves nothing else.

/** The name of the blocks that are apps. It is also the type of these activities in AG-UI. */
export const appBlock = 'mcp-apps';

/** The page of the sandbox origin in which apps run. Its parameter `policy` is an AppPolicy as JSON. */
export const sandboxPath = '/sandbox';

/** The origins that an app may use (`_meta.ui.csp` of its resource); none by default. */
export interface AppPolicy {
  /** Requests and sockets. */
  connectDomains?: string[];
  /** Scripts, styles, pictures, fonts and media. */
  resourceDomains?: string[];
  /** Frames in the app. */
  frameDomains?: string[];
  /** What `<base>` may name. */
  baseUriDomains?: string[];
}

/** The data of a block that is an app. */
export interface AppData {
  /** The document of the app (`text/html;profile=mcp-app`). */
  html: string;
  csp?: AppPolicy;
  /** The name of the frame for screen readers. */
  title?: string;
  /** What the tool was called with. */
  toolInput?: Record<string, unknown>;
  /** What the tool has returned: a CallToolResult of MCP. */
  result?: Record<string, unknown>;
}

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
