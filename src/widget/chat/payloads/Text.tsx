// A text with its line breaks. Addresses become links when the extras bundle has loaded.
import { extras } from '../bundles.ts';
import { strings } from '../strings.ts';

export function Text({ text }: { text: string }) {
  const { module } = extras;
  // Only before the first attempt: after a failure the next message retries, and not every rendering.
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
