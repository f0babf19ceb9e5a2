// What the site has said about a visitor. Pure.

/** The fields of the profile, which the site sets; any other profile is one field. */
export function dataOf(profile: string | undefined): [name: string, value: string][] {
  if (!profile) return [];
  try {
    const data: unknown = JSON.parse(profile);
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return Object.entries(data).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
  } catch {
    // Plain text of the site.
  }
  return [['Profile', profile]];
}
