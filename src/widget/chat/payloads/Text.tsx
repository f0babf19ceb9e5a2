// A text: its lines as they are, addresses as links.
import { findLinks } from '../links.ts';
import { words } from '../words.ts';

export function Text({ text }: { text: string }) {
  return (
    <p class="text" dir="auto">
      {findLinks(text).map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <a href={piece.href} target="_blank" rel="noopener noreferrer" title={words.newTab}>
            {piece.text}
          </a>
        ),
      )}
    </p>
  );
}
