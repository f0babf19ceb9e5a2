// A text of the document: what stands between backquotes is code.

export function FormattedText({ of }: { of: string }) {
  return of.split('`').map((part, index) => (index % 2 ? <code>{part}</code> : part));
}
