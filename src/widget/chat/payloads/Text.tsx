// A text: its lines as they are, addresses as links once the extras bundle has loaded.
import { extras } from '../bundles.ts';
import { strings } from '../strings.ts';

export function Text({ text }: { text: string }) {
  const { module } = extras;
  // Before it has loaded or failed: after a failure the next message tries again, and not every rendering.
  if (module === undefined && /:\/\/|www\.|@/i.test(text)) extras.request();
  return (
    <p class="text" dir="auto">
      {(module?.findLinks(text) ?? [text]).map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow" title={strings.newTab}>
            {piece.text}
          </a>
        ),
      )}
    </p>
  );
}
