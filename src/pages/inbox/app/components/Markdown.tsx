// Draws the Markdown of bots with the bundle of the widget, which loads with the first Markdown message.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Text } from './Text.tsx';

type Module = typeof import('../../../../widget/markdown/main.ts');

/** Undefined until it has loaded, null if it could not be. */
const loaded = signal<Module | null | undefined>(undefined);
let isRequested = false;

function request(): void {
  if (isRequested) return;
  isRequested = true;
  import('../../../../widget/markdown/main.ts').then(
    (module) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(module.css);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      loaded.value = module;
    },
    () => {
      loaded.value = null;
    },
  );
}

export function Markdown({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  const module = loaded.value;
  useEffect(() => {
    request();
    if (!module || !element.current) return;
    const view = module.createMessageView(element.current, {
      // Pictures are links: style/transcript.css hides the button that loads one.
      images: 'listed',
      imageOrigins: [],
      strings: { ...module.strings, newTab: 'Opens in a new tab' },
    });
    view.update(text, false);
    return () => view.dispose();
  }, [module, text]);
  return module ? <div class="markdown" dir="auto" ref={element} /> : <Text text={text} />;
}
