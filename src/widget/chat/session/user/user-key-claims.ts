// What a user key says: it is a JSON Web Token (RFC 7519). The widget cannot check its signature.

/** The claims of a key. Throws if it is none. */
export const claimsOf = (key: string): { id?: unknown; iat?: unknown; exp?: unknown } =>
  JSON.parse(atob((key.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')));

/** Whether two keys are of the same user: a site can sign another one for each page view. */
export function isOfSameUser(one: string, other: string | undefined): boolean {
  if (one === other) return true;
  try {
    const { id } = claimsOf(one);
    return !!id && id === claimsOf(other ?? '').id;
  } catch {
    return false;
  }
}
