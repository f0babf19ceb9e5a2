// The relations between the parts of an Office Open XML document: a part refers to others by ids.
import { linkAddress } from '../links.ts';
import type { Archive } from './archive.ts';
import { readPart } from './xml.ts';

export interface Relation {
  id: string;
  /** The last part of its type: `slide`, `worksheet`. */
  type: string;
  /** The name of the other part. */
  target: string;
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1);

function relationsPart(part: string): string {
  const folder = folderOf(part);
  return `${folder}_rels/${part.slice(folder.length)}.rels`;
}

/** Returns the relations of a part within the document; those of the document itself for ''. */
export async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = folderOf(part);
  return readPart<Relation>(archive, relationsPart(part), (emit) => ({
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      emit({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: resolve(folder, Target) });
    },
  }));
}

/** Returns the addresses outside of the document to which a part links, by the ids of the relations. */
export async function linksOf(archive: Archive, part: string): Promise<Map<string, string>> {
  const links = await readPart<[string, string]>(archive, relationsPart(part), (emit) => ({
    open(element, { Id = '', Target, TargetMode }) {
      const address = TargetMode === 'External' ? linkAddress(Target) : undefined;
      if (element === 'Relationship' && address !== undefined) emit([Id, address]);
    },
  }));
  return new Map(links);
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
