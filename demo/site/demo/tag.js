// The tag of the chat as a text, to copy it into another page.

/** The tag with the script at `address` and with attributes; a value that is undefined leaves its attribute out. */
export function tagOf(address, attributes) {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${value}"`);
  return `<script src="${address}"${written.join('')} async></${'script'}>`;
}
