// The line below the composer: Markdown of the site owner. Plain text does not load the Markdown bundle.
import { Markdown } from '../payloads/Markdown.tsx';
import { Text } from '../payloads/Text.tsx';
import type { ViewProps } from '../view.ts';

export function Footer({ store }: ViewProps) {
  const { footer } = store.state.configuration;
  if (!footer) return null;
  return (
    <footer class="footer" part="footer">
      {/[*_`[\]<\\]/.test(footer) ? <Markdown text={footer} inlineOnly /> : <Text text={footer} />}
    </footer>
  );
}
