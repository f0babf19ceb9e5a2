// Whether a text is an e-mail address that a visitor may leave. The server and the widget use the same check.

/** Characters of an e-mail address (RFC 5321, 4.5.3.1.3, without its brackets). */
export const emailLength = 254;

/** An address without space and control characters. */
export const emailPattern = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/**
 * Without the forms that need quotes in headers of mails, and with a domain that has a dot, so that it names no machine of the
 * operator's network.
 */
export const visitorEmailPattern = /^[^"(),:;<>[\\\]]{1,64}@[^"(),:;<>[\\\].]+(?:\.[^"(),:;<>[\\\].]+)+$/;

/** @param text without space around it */
export const isVisitorEmail = (text: string): boolean =>
  text.length <= emailLength && emailPattern.test(text) && visitorEmailPattern.test(text);
