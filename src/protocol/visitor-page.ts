// The limits of the page that a visitor shares with the team.
export const pageLimits = {
  /** Characters of the address. */
  url: 2_000,
  /** Characters of the title. */
  title: 200,
} as const;
