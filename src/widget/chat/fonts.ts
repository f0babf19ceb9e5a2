// Loads the configured font: four are bundled, with one file for each script, and any other is loaded from Google Fonts.
// The fallback font is shown until it has loaded.
import firaCode from '@fontsource-variable/fira-code/unicode.json' with { type: 'json' };
import plex from '@fontsource-variable/ibm-plex-sans/unicode.json' with { type: 'json' };
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' };
import rubik from '@fontsource-variable/rubik/unicode.json' with { type: 'json' };

interface Family {
  /** The prefix of its file names; the build writes the files next to the bundles. */
  file: string;
  weight: string;
  /** The characters of each file. */
  ranges: Record<string, string>;
}

const fontFamilies: Record<string, Family> = {
  inter: { file: 'inter', weight: '100 900', ranges: inter },
  rubik: { file: 'rubik', weight: '300 900', ranges: rubik },
  'ibm plex sans': { file: 'ibm-plex-sans', weight: '100 700', ranges: plex },
  'fira code': { file: 'fira-code', weight: '300 700', ranges: firaCode },
};

/** The folder of this bundle. (Vite would resolve an inlined `import.meta.url` relative to the sources.) */
const here = import.meta.url;

/** The nodes and faces of the current font, to be removed when the font changes. */
let present: { name: string; remove(): void } | undefined;

/** Makes a font usable in the chat and removes it when `signal` aborts. undefined removes the last one. */
export function setFont(name: string | undefined, signal: AbortSignal): void {
  if (name === present?.name) return;
  present?.remove();
  present = undefined;
  if (name === undefined || signal.aborted) return;
  const key = name.toLowerCase();
  const family = Object.hasOwn(fontFamilies, key) ? fontFamilies[key] : undefined;
  const remove = family ? addFaces(name, family) : addGoogleFont(name);
  present = { name, remove };
  signal.addEventListener('abort', () => {
    if (present?.remove === remove) setFont(undefined, signal);
  });
}

/** @font-face does not work in a shadow root, so the document gets the faces, under a unique name (theme.ts). */
function addFaces(name: string, { file, weight, ranges }: Family): () => void {
  const faces = Object.entries(ranges).map(([subset, unicodeRange]) => {
    const url = new URL(`fonts/${file}-${subset}.woff2`, here).href;
    const descriptors = { weight, unicodeRange, display: 'swap' } as const;
    return new FontFace(`pw ${name}`, `url("${url}") format("woff2")`, descriptors);
  });
  for (const face of faces) document.fonts.add(face);
  return () => {
    for (const face of faces) document.fonts.delete(face);
  };
}

/** Google's style sheet is added to the document, because faces in a shadow root have no effect. */
function addGoogleFont(name: string): () => void {
  // An invalid font name is not requested.
  if (!/^[\w -]+$/.test(name)) return () => {};
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `https://fonts.googleapis.com/css2?family=${encodeURIComponent(name)}:wght@400;600&display=swap`;
  document.head.appendChild(link);
  return () => link.remove();
}
