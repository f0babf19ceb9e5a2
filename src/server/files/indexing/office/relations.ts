// The relations between the parts of an Office Open XML document: a part refers to others by ids.
import type { Archive } from './archive.ts';
import { readPart } from './xml.ts';

export interface Relation {
  id: string;
  /** The last part of its type: `slide`, `worksheet`. */
  type: string;
  /** The name of the other part. */
  target: string;
}

/** Returns the relations of a part within the document; those of the document itself for ''. */
export async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  return readPart<Relation>(archive, name, (emit) => ({
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      emit({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: resolve(folder, Target) });
    },
  }));
}

/** Returns the name of the main part, which usually is `word/document.xml`, `xl/workbook.xml` or `ppt/presentation.xml`. */
export async function mainPart(archive: Archive): Promise<string | undefined> {
  const relations = await relationsOf(archive, '');
  return relations.find(({ type }) => type === 'officeDocument')?.target;
}

/** Resolves the name of a part relative to a folder. */
export function resolve(folder: string, target: string): string {
  const names: string[] = [];
  for (const name of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
