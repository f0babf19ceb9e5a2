// The path of the page in which apps run. In a file of its own, so that the bundle of apps does not import that of parts for
// it.

/** The page of the sandbox origin in which apps run. Its parameter `policy` is an AppPolicy as JSON. */
export const sandboxPath = '/sandbox';
