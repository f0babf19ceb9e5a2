// A text: its lines as they are, addresses as links once the chunk that knows them is there.
import { media } from '../bundles.ts';
import { words } from '../strings.ts';

export function Text({ text }: { text: string }) {
  // Before it has come or failed: what failed is asked for by the next message, not by every drawing.
  if (media.module === undefined && /:\/\/|www\.|@/i.test(text)) media.ask();
  return (
    <p class="text" dir="auto">
      {(media.module?.findLinks(text) ?? [text]).map((piece) =>
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
