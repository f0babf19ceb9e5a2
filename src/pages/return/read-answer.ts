// Reads the address of the page, and what the server answers to its link. Pure.

/** What to do with a link: open the chat with a key, go to the site, or say that it has ended, or did not work now. */
export type LinkAnswer =
  | { type: 'chat'; userKey: string }
  | { type: 'site'; returnUrl: string }
  | { type: 'ended' | 'failed' };

/** Reads `#TOKEN.WEBHOOK`; undefined for any other fragment. */
export function readLink(fragment: string): { token: string; webhookId: string } | undefined {
  const [, token, webhookId] = /^#([\w-]{43})\.([\w-]{1,70})$/.exec(fragment) ?? [];
  return token !== undefined && webhookId !== undefined ? { token, webhookId } : undefined;
}

export async function readAnswer(response: Response): Promise<LinkAnswer> {
  // The link, or the chat, is gone.
  if ([400, 401, 404].includes(response.status)) return { type: 'ended' };
  if (!response.ok) return { type: 'failed' };
  const { userKey, returnUrl } = (await response.json()) as { userKey?: unknown; returnUrl?: unknown };
  if (typeof userKey === 'string') return { type: 'chat', userKey };
  if (typeof returnUrl === 'string' && /^https?:\/\//i.test(returnUrl)) return { type: 'site', returnUrl };
  return { type: 'failed' };
}
