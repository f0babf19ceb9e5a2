// Tests of the decoder of texts in files: marks, declarations, detection, and what cannot be read.
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { htmlCharset, xmlCharset } from './charsets.ts';
import { type DecodeOptions, decodeText } from './decode.ts';

async function decoded(bytes: Uint8Array, options: DecodeOptions = {}, size = bytes.length) {
  const warnings: string[] = [];
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  let text = '';
  for await (const part of decodeText(chunks(), { warn: (problem) => warnings.push(problem), ...options }))
    text += part;
  return { text, warnings };
}

const samples: Record<string, string[]> = {
  'windows-1252': [
    'Ort\r\nKöln\r\n',
    'Ort;Preis\r\nKöln;5 €\r\nMünchen;10 €\r\n',
    'Preis\r\n5 €\r\n',
    'Le café est fermé pendant l’été, mais ouvert à Noël. Prix : 5 €',
    'Straße,Größe\r\nZürich,groß\r\n',
    'Año,Niño\r\nseñor,España\r\n',
    'name,city\r\nJosé,São Paulo\r\nZoë,Århus\r\n',
    '“quoted” – it’s',
    'é',
    '€',
    '£5',
    'çok güzel',
    '»Oh« sagte er',
  ],
  shift_jis: [
    '東京',
    'name,city\r\nたなか,おおさか\r\n',

    '名前,市\r\n田中,東京\r\n',
    '市\r\n東京\r\n',
    'お問い合わせは電話でお願いします。営業時間は九時から五時までです。',
  ],
  'euc-jp': ['お問い合わせは電話でお願いします。営業時間は九時から五時までです。'],
  gb18030: [
    '姓名,城市\r\n张三,北京\r\n',
    '城市\r\n北京\r\n',
    '退货请在三十天内寄回，标签免费。请先登录您的账户。',
  ],
  'euc-kr': ['서울', '이름,도시\r\n김철수,서울\r\n', '반품은 삼십일 이내에 보내 주세요. 라벨은 무료입니다.'],
  big5: [
    '臺北',
    'Ort\r\n臺北\r\n',
    '姓名,城市\r\n王小明,臺北\r\n',
    '退貨請在三十天內寄回，標籤免費。請先登入您的帳戶。',
  ],
  'koi8-r': [
    'Ort\r\nМосква\r\n',
    'Имя,Город\r\nИван,Москва\r\n',
    'Возврат товара в течение тридцати дней. Этикетка бесплатная.',
  ],
  'windows-1251': [
    'Имя,Город\r\nИван,Москва\r\n',
    'Возврат товара в течение тридцати дней. Этикетка бесплатная.',
  ],
  'windows-1250': [
    'Miasto\r\nŁódź\r\nKraków\r\n',
    'Příliš žluťoučký kůň úpěl ďábelské ódy. Vrácení zboží do třiceti dnů.',
  ],
  'windows-1253': ['Επιστροφή προϊόντων εντός τριάντα ημερών. Η ετικέτα είναι δωρεάν.'],
  'windows-1254': ['Ürünü otuz gün içinde iade edebilirsiniz. İstanbul şubesi açıktır.'],
  'windows-1255': ['החזרת מוצרים תוך שלושים יום. התווית בחינם.'],
  'windows-1256': ['إرجاع المنتجات خلال ثلاثين يوما. الملصق مجاني.'],
  macintosh: ['Straße, Größe: über alle Maße', 'Café crème à la carte, déjà vu', 'name\r\nMünchen\r\n'],
  'windows-874': ['คืนสินค้าภายในสามสิบวัน ฉลากฟรี'],
};
const cases = Object.entries(samples).flatMap(([charset, texts]) => texts.map((text) => ({ charset, text })));

test.each(cases)('a text in $charset is detected: $text', async ({ charset, text }) => {
  const bytes = iconv.encode(text, charset);
  expect(await decoded(bytes)).toEqual({ text, warnings: [] });
  expect(await decoded(bytes, {}, 5)).toEqual({ text, warnings: [] });
});

test.each(cases)('a declared charset counts: $charset, $text', async ({ charset, text }) => {
  const bytes = iconv.encode(text, charset);
  expect(await decoded(bytes, { charset: charset.toUpperCase() }, 3)).toEqual({ text, warnings: [] });
});

test('a text in ISO-2022-JP is detected by its escapes', async () => {
  const bytes = Buffer.from('\x1b$B$4MxMQ$K$D$$$F\x1b(B\r\n', 'latin1');
  expect((await decoded(bytes)).text).toBe('ご利用について\r\n');
});

describe('a byte order mark', () => {
  const text = 'Ort\tPreis\r\nKöln\t5 €\r\n東京\t😀\r\n';
  const marked: [string, Buffer][] = [
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', iconv.encode(`\ufeff${text}`, 'utf-16le')],
    ['utf-16be', iconv.encode(`\ufeff${text}`, 'utf-16be')],
    ['utf-32le', iconv.encode(`\ufeff${text}`, 'utf-32le')],
    ['utf-32be', iconv.encode(`\ufeff${text}`, 'utf-32be')],
    ['gb18030', iconv.encode(`\ufeff${text}`, 'gb18030')],
  ];
  test.each(marked)('of %s counts more than a declaration, in chunks of any size', async (_, bytes) => {
    for (const size of [1, 2, 3, 7, bytes.length]) {
      expect(await decoded(bytes, { charset: 'windows-1252' }, size)).toEqual({ text, warnings: [] });
    }
  });

  test.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'is not necessary for ASCII in %s',
    async (charset) => {
      const bytes = iconv.encode('name\tcity\r\nAda\tLondon\r\n', charset);
      expect((await decoded(bytes)).text).toBe('name\tcity\r\nAda\tLondon\r\n');
      expect((await decoded(bytes, { charset: charset.slice(0, 6) })).text).toBe(
        'name\tcity\r\nAda\tLondon\r\n',
      );
    },
  );
});

test.each([
  ['Имя,Город\r\nИван,Москва\r\n'],
  ['Возврат товара в течение тридцати дней. '.repeat(3)],
  ['退货请在三十天内寄回，一张标签免费。\r\n请先登录您的账户。\r\n'],
  ['Πόλη\r\nΑθήνα\r\n'],
  ['도시\n부산\n'],
])('a text in UTF-16 without a mark and with few zero bytes is detected: %j', async (text) => {
  for (const charset of ['utf-16le', 'utf-16be'])
    expect(await decoded(iconv.encode(text, charset))).toEqual({ text, warnings: [] });
});

test('a zero byte in a text of single bytes does not make two bytes of each character', async () => {
  for (const text of ['name\r\nA\0da\r\n', 'Köln\0ist eine Stadt\r\n', 'ab\0\0cd ef gh ij kl mn op'])
    expect((await decoded(Buffer.from(text))).text).toBe(text);
});

test('a short text in UTF-8 with one damaged byte is read as UTF-8, with a warning', async () => {
  const bytes = Buffer.concat([Buffer.from('Köln\r\n'), Buffer.of(0xff), Buffer.from('x\r\n')]);
  expect(await decoded(bytes)).toEqual({
    text: 'Köln\r\n\ufffdx\r\n',
    warnings: [expect.stringContaining('in line 2')],
  });
});

test.each(['"windows-1252"', 'Latin-1', 'latin 1', 'ISO_8859-1:1987', 'csISOLatin1', 'ANSI', 'CP1252'])(
  'the name %s stands for the set of Windows',
  async (charset) => {
    expect(await decoded(Buffer.of(0x80, 0xe9), { charset: charset.replaceAll('"', '') })).toEqual({
      text: '€é',
      warnings: [],
    });
  },
);

describe('the declaration of a document', () => {
  test('counts also when it comes late, and a description is none', async () => {
    const late = `<html><head><!-- ${'x'.repeat(6_000)} --><meta charset='iso-8859-5'><p>Москва`;
    expect((await decoded(iconv.encode(late, 'iso-8859-5'), { declaredIn: htmlCharset }, 1_000)).text).toBe(
      late,
    );
    const description = '<meta name="description" content="the charset=koi8-r is old"><p>Köln';
    expect((await decoded(Buffer.from(description), { declaredIn: htmlCharset })).text).toBe(description);
  });

  test.each([
    ['<meta charset="koi8-r"><p>Москва', htmlCharset],
    ['<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=koi8-r"><p>Москва', htmlCharset],
    ['<!-- <meta charset="big5"> --><meta charset=koi8-r><p>Москва', htmlCharset],
    ['<?xml version="1.0" encoding="KOI8-R"?><p>Москва</p>', xmlCharset],
  ])('counts: %s', async (text, declaredIn) => {
    expect((await decoded(iconv.encode(text, 'koi8-r'), { declaredIn })).text).toBe(text);
  });

  test('counts less than that of the content type', async () => {
    const text = '<meta charset="utf-8"><p>Москва, это столица';
    const bytes = iconv.encode(text, 'windows-1251');
    expect(await decoded(bytes, { charset: 'windows-1251', declaredIn: htmlCharset })).toEqual({
      text,
      warnings: [],
    });
  });

  test('of UTF-16 in a text of single bytes means UTF-8', async () => {
    const text = '<meta charset="utf-16"><p>Köln';
    expect((await decoded(Buffer.from(text), { declaredIn: htmlCharset })).text).toBe(text);
  });
});

describe('a warning', () => {
  test('tells which bytes of UTF-8 could not be read', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Größe\r\nZürich über alle Maße\n'),
      Buffer.of(0xff),
      Buffer.from('ß'),
    ]);
    expect(await decoded(bytes)).toEqual({
      text: 'Größe\r\nZürich über alle Maße\n\ufffdß',
      warnings: [
        'One character could not be read as utf-8, the first one in line 3: they are shown as \ufffd.',
      ],
    });
  });

  test('tells that a text is not in the declared UTF-8', async () => {
    expect(await decoded(iconv.encode('Ort\r\nKöln\r\n', 'windows-1252'), { charset: 'utf-8' })).toEqual({
      text: 'Ort\r\nKöln\r\n',
      warnings: ['The text is declared as utf-8, which it is not; it was read as windows-1252.'],
    });
  });

  test('tells that the declared charset is not known', async () => {
    expect(await decoded(Buffer.from('Köln'), { charset: 'x-klingon' })).toEqual({
      text: 'Köln',
      warnings: ['The charset "x-klingon" is not known; the text was read as utf-8.'],
    });
  });

  test('tells of a character that is cut at the end', async () => {
    for (const [bytes, charset] of [
      [iconv.encode('ab', 'utf-16le').subarray(0, 3), 'utf-16le'],
      [Buffer.of(0x61, 0xc4), 'gb18030'],
    ] as const) {
      const { text, warnings } = await decoded(bytes, { charset });
      expect([text, warnings]).toEqual(['a\ufffd', [expect.stringContaining('One character')]]);
    }
  });

  test('tells of bytes that the declared charset does not have', async () => {
    const { text, warnings } = await decoded(Buffer.of(0x41, 0x81, 0x42), { charset: 'windows-1252' });
    expect(text).toBe('A\ufffdB');
    expect(warnings).toEqual([expect.stringContaining('One character')]);
  });
});

test('one damaged byte does not change the set of a long text', async () => {
  const text = '退货请在三十天内寄回，标签免费。\r\n'.repeat(500);
  const bytes = Buffer.concat([
    iconv.encode(text, 'gb18030'),
    Buffer.of(0xff, 0x0a),
    iconv.encode(text, 'gb18030'),
  ]);
  const read = await decoded(bytes, {}, 1_001);
  expect(read.text).toBe(`${text}\ufffd\n${text}`);
  expect(read.warnings).toEqual([
    expect.stringMatching(/^One character .* gb18030, the first one in line 501:/),
  ]);
});

test('the set is that of the first bytes outside of ASCII, however late they come', async () => {
  const text = `${'name,city\r\n'.repeat(20_000)}Ivan,Москва\r\nПётр,Санкт-Петербург\r\n`;
  for (const size of [100, 65_536]) {
    expect((await decoded(iconv.encode(text, 'koi8-r'), {}, size)).text).toBe(text);
    expect((await decoded(Buffer.from(text), {}, size)).text).toBe(text);
  }
});
