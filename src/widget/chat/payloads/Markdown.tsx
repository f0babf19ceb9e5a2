// Markdown: readable text at once, formatted when the rich chunk is there. The one place where HTML enters the DOM.
import { markdownToHtml } from '../rich.ts';
import { Text } from './Text.tsx';

export function Markdown({ text }: { text: string }) {
  const html = markdownToHtml(text);
  if (html === undefined) return <Text text={text} />;
  return <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
