// The font that a site asks for: four come with the chat and are loaded script by script as they are needed, any other
// is Google's. Until a font is there its fallback is shown, never nothing.
import firaCode from '@fontsource-variable/fira-code/unicode.json' with { type: 'json' };
import plex from '@fontsource-variable/ibm-plex-sans/unicode.json' with { type: 'json' };
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' };
import rubik from '@fontsource-variable/rubik/unicode.json' with { type: 'json' };

interface Family {
  /** The name of its files, which the build puts beside the chunks. */
  file: string;
  weight: string;
  /** The characters of each file. */
  ranges: Record<string, string>;
}

const families: Record<string, Family> = {
  inter: { file: 'inter', weight: '100 900', ranges: inter },
  rubik: { file: 'rubik', weight: '300 900', ranges: rubik },
  'ibm plex sans': { file: 'ibm-plex-sans', weight: '100 700', ranges: plex },
  'fira code': { file: 'fira-code', weight: '300 700', ranges: firaCode },
};

/** The files stand beside this chunk. (Written at its place below, Vite would look for them among the sources.) */
const here = import.meta.url;

/** What is on the page for the present font; another font takes it away. */
let present: { name: string; remove(): void } | undefined;

/** Makes a font usable inside the chat; it leaves the page with `signal`. undefined takes the last one away. */
export function setFont(name: string | undefined, signal: AbortSignal): void {
  if (name === present?.name) return;
  present?.remove();
  present = undefined;
  if (name === undefined || signal.aborted) return;
  const key = name.toLowerCase();
  const family = Object.hasOwn(families, key) ? families[key] : undefined;
  const remove = family ? addFaces(name, family) : addGoogleFont(name);
  present = { name, remove };
  signal.addEventListener('abort', () => {
    if (present?.remove === remove) setFont(undefined, signal);
  });
}

/** @font-face does not work in a shadow root; faces of the document do, under a name that no page uses (theme.ts). */
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

/** Google's style sheet has to stand in the document: faces in a shadow root count for nothing. */
function addGoogleFont(name: string): () => void {
  // What is no name of a font is nothing to ask for.
  if (!/^[\w -]+$/.test(name)) return () => {};
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `https://fonts.googleapis.com/css2?family=${encodeURIComponent(name)}:wght@400;600&display=swap`;
  document.head.append(link);
  return () => link.remove();
}
