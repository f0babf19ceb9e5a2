// The origin under which the sender of a request reaches this server. It believes the headers of a proxy: an
// answer made of them goes to nobody but who sent them.

/** `https://chat.example.com`, from X-Forwarded-Proto and X-Forwarded-Host where they are well-formed. */
export function originOf(request: Request): string {
  const url = new URL(request.url);
  const first = (name: string): string => request.headers.get(name)?.split(',')[0]?.trim() ?? '';
  const proto = /^https?$/i.exec(first('x-forwarded-proto'))?.[0].toLowerCase();
  const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(first('x-forwarded-host'))?.[0];
  return `${proto ?? url.protocol.slice(0, -1)}://${host ?? url.host}`;
}
