// The fonts of the browser: on Linux they are those of the tests and no others, so that a text is as wide on each machine
// (e2e/support/machine/fonts.conf).
import { catalogues } from '../../src/widget/i18n/load-catalogue.ts';
import { expect, test } from '../support/fixtures.ts';

test.skip(
  process.platform !== 'linux' || !process.env.FONTCONFIG_FILE?.endsWith('e2e/support/machine/fonts.conf'),
  'The browser has the fonts of the machine.',
);

/** The fonts of the letters of a script, by its name in Unicode. */
const fontsOf: Record<string, string[]> = {
  Latin: ['Arimo'],
  Greek: ['Arimo'],
  Cyrillic: ['Arimo'],
  Hebrew: ['Arimo'],
  Arabic: ['Noto Naskh Arabic'],
  Devanagari: ['Sarala'],
  Bengali: ['Mina'],
  Thai: ['Itim'],
  Hiragana: ['MotoyaLCedar'],
  Katakana: ['MotoyaLCedar'],
  Han: ['MotoyaLCedar', 'ZCOOL KuaiLe'],
  Hangul: ['Gugi'],
};

/** Traditional characters that none of them has: boxes, which are narrower. */
const lacking = /[啟嗎幫檔絕錄]/g;

test('each language is drawn with the fonts of the tests, and none of the machine', async ({ page }) => {
  const all = await Promise.all(Object.values(catalogues).map((load) => load()));
  const text = JSON.stringify(all.map((module) => module.default.widget)).replace(lacking, '');
  const lettersOf = (script: string) =>
    [...new Set(text.match(new RegExp(`\\p{sc=${script}}`, 'gu')))].join('');
  // No language has this script: boxes of the first font.
  const rows = { ...fontsOf, Armenian: ['Arimo'] };
  const scripts = Object.keys(rows);
  await page.setContent(
    scripts.map((script) => `<p id="${script}">${lettersOf(script) || 'Բարեւ'}</p>`).join(''),
  );
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const used: typeof fontsOf = {};
  for (const script of scripts) {
    const { nodeId } = await session.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: `#${script}`,
    });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    used[script] = fonts.map(({ familyName }) => familyName).sort();
  }
  expect(used).toEqual(rows);
});
