// How the simulation calls the users of the site.

/** The name of a browser as one word, for texts and ids. */
export const wordOf = (browser: string): string => browser.replace(' ', '');

/** The id of a user of the site. There are two for each browser. */
export const userIdOf = (browser: string, user: number): string => `${wordOf(browser)}-user${user % 2}`;

/** The name that a page sets for its user. */
export const nameOf = (id: string): string => `the name of ${id}`;
