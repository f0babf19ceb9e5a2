// Reads the sources of a response: annotations of its text, with the positions of their citations.
import { limits } from '../../../../../protocol/limits.ts';
import type { AnswerTexts } from '../shared/answer-texts.ts';
import type { Emit } from '../shared/event-reader.ts';
import { countOf, firstLine, type JsonObject, webAddressOf } from '../shared/values.ts';

/** Citations of one response. The same source can be cited many times. */
const maxCitations = 10 * limits.parts.sources;

export interface Citations {
  /** A part of a message begins or continues. */
  begin(key: string): void;
  add(key: string, annotation: JsonObject, emit: Emit): void;
}

export function createCitations(texts: AnswerTexts): Citations {
  /** The length of the text before each part. */
  const begins = new Map<string, number>();
  const seen = new Set<string>();
  return {
    begin(key) {
      if (!begins.has(key) && begins.size < maxCitations) begins.set(key, texts.length);
    },
    add(key, { type, url, title, filename, file_id, end_index, index }, emit) {
      if (type !== 'url_citation' && type !== 'file_citation' && type !== 'container_file_citation') return;
      const address = type === 'url_citation' ? webAddressOf(url) : undefined;
      const name = firstLine(title, filename, address, file_id);
      if (name === undefined || seen.size >= maxCitations) return;
      const begin = begins.get(key);
      const place = countOf(end_index) ?? countOf(index);
      const end = begin === undefined || place === undefined ? undefined : begin + place;
      const id = JSON.stringify([key, address, name, end]);
      // An annotation arrives several times: when it is added, with its part and with its item.
      if (seen.has(id)) return;
      seen.add(id);
      emit({
        type: 'source',
        title: name,
        ...(address === undefined ? {} : { url: address }),
        ...(end === undefined ? {} : { end }),
      });
    },
  };
}
