// Apps in answers: MCP Apps (https://modelcontextprotocol.io, specification of 2026-01-26). An app is a block of the bot; it runs in
// a frame of an origin that serves nothing else.

/** The name of the blocks that are apps. It is also the type of these activities in AG-UI. */
export const appBlock = 'mcp-apps';

/** The origins that an app may use (`_meta.ui.csp` of its resource); none by default. */
export interface AppPolicy {
  /** Requests and sockets. */
  connectDomains?: string[];
  /** Scripts, styles, pictures, fonts and media. */
  resourceDomains?: string[];
  /** Frames in the app. */
  frameDomains?: string[];
  /** Addresses that `<base>` may name. */
  baseUriDomains?: string[];
}

/** The data of a block that is an app. */
export interface AppData {
  /** The document of the app (`text/html;profile=mcp-app`). */
  html: string;
  csp?: AppPolicy;
  /** The name of the frame for screen readers. */
  title?: string;
  /** Input of the tool. */
  toolInput?: Record<string, unknown>;
  /** Result of the tool: a CallToolResult of MCP. */
  result?: Record<string, unknown>;
}
