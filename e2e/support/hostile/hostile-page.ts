// The types of a hostile page: its content, and the data about it that tests need.
export interface HostilePage {
  name: string;
  /** Pages with the same value do not influence each other: the tests in Chromium load one with all of them. */
  together?: string;
  /** The page's style sheet. */
  css?: string;
  /** A script of the page that runs before the chat's. */
  before?: string;
  /** A script that runs when the launcher exists. */
  after?: string;
  /** Markup in the head, before the chat's script. */
  head?: string;
  body?: string;
  doctype?: string;
  /** Attributes of `<html>`. */
  html?: string;
  /** Directives added to the strictest policy. */
  csp?: string;
  /** The script tag if it is not the usual one; TAG is replaced by the tag, SRC by its URL. */
  tag?: string;
  /** True when the page looks different on purpose (zoomed, mirrored): screenshots are not compared. */
  looksDifferent?: boolean;
  /**
   * The engine whose WebDriver fails on the page: that of WebKitGTK runs its own code with the page's Promise, and that of
   * Chromium sends objects with the names that the page has added. Playwright runs all pages in Chromium.
   */
  breaksDriverOf?: 'webkit' | 'chromium';
  /** Warnings that the page causes. */
  expectedWarnings?: RegExp;
}
