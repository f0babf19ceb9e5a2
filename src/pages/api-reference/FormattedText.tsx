// Renders a text of the document; parts between backquotes become code elements.

export function FormattedText({ of }: { of: string }) {
  return of.split('`').map((part, index) => (index % 2 ? <code>{part}</code> : part));
}
