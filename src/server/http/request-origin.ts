// Determines the origin under which the client reaches this server. It trusts the headers of any proxy, because a
// response that is derived from them is sent only to the client that sent them.

/**
 * Returns an origin such as `https://chat.example.com`, from X-Forwarded-Proto and X-Forwarded-Host if they are
 * well-formed.
 */
export function originOf(request: Request): string {
  const url = new URL(request.url);
  const first = (name: string): string => request.headers.get(name)?.split(',')[0]?.trim() ?? '';
  const proto = /^https?$/i.exec(first('x-forwarded-proto'))?.[0].toLowerCase();
  const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(first('x-forwarded-host'))?.[0];
  const scheme = proto ?? url.protocol.slice(0, -1);
  const forwarded = host && `${scheme}://${host}`;
  // A URL cannot contain some names of this form, such as 1.2.3.4.5.
  return forwarded && URL.canParse(forwarded) ? forwarded : `${scheme}://${url.host}`;
}
