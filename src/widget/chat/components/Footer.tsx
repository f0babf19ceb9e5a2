// The lines below the composer: that an AI answers, and Markdown of the site owner. Plain text does not load the Markdown bundle.
import { Markdown } from '../payloads/Markdown.tsx';
import { Text } from '../payloads/Text.tsx';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';

export function Footer({ store }: ViewProps) {
  const { configuration, handling } = store.state;
  const { aiNotice, footer } = configuration;
  return (
    <>
      {aiNotice && !handling?.person && (
        <p class="footer" id="ai-notice" part="ai-notice">
          {strings.aiNotice}
        </p>
      )}
      {footer && (
        <footer class="footer" part="footer">
          {/[*_`[\]<\\]/.test(footer) ? <Markdown text={footer} inlineOnly /> : <Text text={footer} />}
        </footer>
      )}
    </>
  );
}
