// The picture of the launcher, which a server can render too.

/** Lucide "message-circle" filled (ISC), in a 24 by 24 box. */
export const bubblePath = 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z';
