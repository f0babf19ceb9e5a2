// The color of a face without a picture: the same for a name in every list (style/avatar.css).

/** Colors that faces have. */
export const avatarColors = 8;

/** The number of the color of a name, from 1 on. Letter case and spaces around the name make no difference. */
export function colorOf(name: string): number {
  // FNV-1a, whose lowest bits differ for names that have one letter more.
  let hash = 0x811c9dc5;
  for (const letter of name.trim().toLowerCase().normalize()) {
    hash ^= letter.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return (((hash ^ (hash >>> 15)) >>> 0) % avatarColors) + 1;
}
