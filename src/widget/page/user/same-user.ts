// Whether user keys are of the same user. A key is a JSON Web Token (RFC 7519), whose signature the widget cannot check.

/** Whether two keys are of the same user: a site can sign another one for each page view. */
export function isOfSameUser(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    const id = idOf(one);
    return !!id && id === idOf(other);
  } catch {
    return false;
  }
}

// Not shared with key-renewal.ts: two bundles that share a line need a third.
const idOf = (key: string): unknown =>
  JSON.parse(atob((key.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))).id;
