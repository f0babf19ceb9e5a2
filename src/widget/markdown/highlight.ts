// The highlighter chunk: splits code into tokens with kinds, by the grammars of speed-highlight. It is loaded with
// the first finished block in one of its languages.
import bash from '@speed-highlight/core/languages/bash.js';
import c from '@speed-highlight/core/languages/c.js';
import css from '@speed-highlight/core/languages/css.js';
import diff from '@speed-highlight/core/languages/diff.js';
import go from '@speed-highlight/core/languages/go.js';
import html from '@speed-highlight/core/languages/html.js';
import java from '@speed-highlight/core/languages/java.js';
import js from '@speed-highlight/core/languages/js.js';
import json from '@speed-highlight/core/languages/json.js';
import py from '@speed-highlight/core/languages/py.js';
import rs from '@speed-highlight/core/languages/rs.js';
import ts from '@speed-highlight/core/languages/ts.js';
import yaml from '@speed-highlight/core/languages/yaml.js';
import { type ShjLanguageData, tokenizeWith } from '@speed-highlight/core/tokenize';

/** The common keywords; the list of speed-highlight contains all, and would be a fifth of this chunk. */
const sql: ShjLanguageData = [
  { type: 'cmnt', match: /--.*\n?|\/\*[\s\S]*?(?:\*\/|$)/g },
  { expand: 'str' },
  {
    type: 'kwd',
    match:
      /\b(?:add|all|alter|and|as|asc|begin|between|by|case|check|column|commit|constraint|create|cross|default|delete|desc|distinct|drop|else|end|exists|foreign|from|full|group|having|if|in|index|inner|insert|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|over|partition|primary|references|returning|right|rollback|select|set|table|then|transaction|union|unique|update|using|values|view|when|where|with)\b/gi,
  },
  { type: 'func', match: /\b\w+(?=\()/g },
  { expand: 'num' },
  { type: 'oper', match: /[-+*/=%<>!|]+/g },
];

const languages = {
  bash,
  c,
  css,
  diff,
  go,
  html,
  java,
  js,
  json,
  py,
  rs,
  sql,
  ts,
  yaml,
};

export type Grammar = keyof typeof languages;

/** Returns each piece of the code in order, with its kind if it has one. */
export function readCode(code: string, grammar: Grammar): { text: string; kind: string | undefined }[] {
  const pieces: { text: string; kind: string | undefined }[] = [];
  tokenizeWith(code, grammar, (text, kind) => text && pieces.push({ text, kind }), {
    // The types of their files are wider than those that the tokenizer accepts.
    languages: languages as Record<Grammar, ShjLanguageData>,
  });
  return pieces;
}
