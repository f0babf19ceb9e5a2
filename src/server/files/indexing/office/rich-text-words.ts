// The control words of Rich Text: groups without text of the document, characters, and code pages of documents and fonts.
import { charsetNamed } from '../../text/charsets.ts';

/** Groups whose text is not part of the document. A group that begins with `\*` is one of them, too. */
export const hidden = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'header',
  'headerl',
  'headerr',
  'headerf',
  'footer',
  'footerl',
  'footerr',
  'footerf',
  'fldinst',
  'listtable',
  'listoverridetable',
  'rsidtbl',
  'themedata',
  'datastore',
  'xmlnstbl',
  'generator',
  'filetbl',
  'revtbl',
  'annotation',
  'nonshppict',
  'xe',
  'tc',
  'bkmkstart',
  'bkmkend',
]);
/** Control words for characters. */
export const characters: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  cell: '',
  nestcell: '',
};
/** The code pages of documents of other systems. */
export const ofSystems: Record<string, string> = { mac: 'macintosh', pc: 'cp437', pca: 'cp850' };

/** The code pages of fonts by their `\\fcharset`; that of 0 and 1 is the one of the document. */
export const pagesOfFonts: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

/** Returns the character set of a code page of Windows; undefined when it is not known. */
export function charsetOfPage(page: number | undefined): string | undefined {
  if (page === undefined || page === 0) return undefined;
  const names: Record<number, string> = { 932: 'shift_jis', 10000: 'macintosh', 65001: 'utf-8' };
  return charsetNamed(names[page] ?? `windows-${page}`) ?? charsetNamed(`cp${page}`);
}
