// SQL of the tags, properties and attributes of conversations, messages and users.
import type { Tx, Value, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';

export type TagKind = 'tag' | 'property' | 'attribute';

/** Names with their values, by kind. Kinds without names are left out, except for tags. */
export interface TagSets {
  tags: Record<string, string>;
  properties?: Record<string, string>;
  attributes?: Record<string, string>;
}

const fields = { tag: 'tags', property: 'properties', attribute: 'attributes' } as const;

/** The tags of these resources, by id. A resource without tags has an empty entry. */
export async function tagsOf(tx: Tx, ids: readonly string[]): Promise<(id: string) => TagSets> {
  const isAsked = inList(tx, 'resource_id', ids);
  const rows = await tx.all<{ id: string; kind: TagKind; name: string; value: string }>(
    `SELECT resource_id AS id, kind, name, value FROM tags WHERE ${isAsked.sql}
     ORDER BY resource_id, kind, name`,
    ...isAsked.values,
  );
  const all = new Map<string, TagSets>();
  for (const { id, kind, name, value } of rows) {
    const sets = all.get(id) ?? { tags: {} };
    all.set(id, sets);
    const field = fields[kind];
    sets[field] = { ...sets[field], [name]: value };
  }
  return (id) => all.get(id) ?? { tags: {} };
}

/**
 * Sets the tags with a value and removes those without one. Returns how many of this kind the resource has then, and whether
 * any is different.
 */
export async function changeTags(
  tx: WriteTx,
  { id, botId }: { id: string; botId: string },
  kind: TagKind,
  changes: Readonly<Record<string, string | null>>,
): Promise<{ count: number; isChanged: boolean }> {
  let written = 0;
  for (const [name, value] of Object.entries(changes)) {
    if (value) {
      written += await tx.run(
        `INSERT INTO tags (resource_id, kind, name, value, bot_id) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (resource_id, kind, name) DO UPDATE SET value = excluded.value
         WHERE tags.value <> excluded.value`,
        id,
        kind,
        name,
        value,
        botId,
      );
    } else {
      written += await tx.run(
        'DELETE FROM tags WHERE resource_id = ? AND kind = ? AND name = ?',
        id,
        kind,
        name,
      );
    }
  }
  const row = await tx.get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM tags WHERE resource_id = ? AND kind = ?',
    id,
    kind,
  );
  return { count: row?.count ?? 0, isChanged: written > 0 };
}

/** Deletes all tags, properties and attributes of several resources. */
export async function deleteTagsOf(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const condition = inList(tx, 'resource_id', ids);
  await tx.run(`DELETE FROM tags WHERE ${condition.sql}`, ...condition.values);
}

/** Deletes all tags, properties and attributes of a resource. */
export async function deleteTags(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM tags WHERE resource_id = ?', id);
}

/** Moves those that the other resource does not have, and deletes the rest. */
export async function moveTags(tx: WriteTx, from: string, to: string): Promise<void> {
  await tx.run(
    `INSERT INTO tags (resource_id, kind, name, value, bot_id)
     SELECT ?, kind, name, value, bot_id FROM tags WHERE resource_id = ? ON CONFLICT DO NOTHING`,
    to,
    from,
  );
  await deleteTags(tx, from);
}

/** The number of resources up to which a tag counts as rare. */
const rare = 100;

/** Returns the tags with the one first that the fewest resources of the bot have, because it is read through the index. */
async function rarestFirst(tx: Tx, botId: string, tags: Readonly<Record<string, string>>) {
  const counted: { name: string; value: string; count: number }[] = [];
  for (const [name, value] of Object.entries(tags)) {
    const some = await tx.all(
      `SELECT 1 FROM tags WHERE bot_id = ? AND kind = 'tag' AND name = ? AND value = ? LIMIT ?`,
      botId,
      name,
      value,
      rare,
    );
    counted.push({ name, value, count: some.length });
  }
  return counted.sort((a, b) => a.count - b.count);
}

/** A source of rows, with its conditions and parameters. */
export interface TagCondition {
  /** The beginning of FROM, for a table that is joined by `t.resource_id`; '' without tags. */
  from: string;
  where: string[];
  values: Value[];
}

/**
 * The condition that the resource `id` (an SQL column) has all of these tags. `exactly`: and no other tags.
 */
export async function taggedWith(
  tx: Tx,
  botId: string,
  id: string,
  tags: Readonly<Record<string, string>>,
  exactly = false,
): Promise<TagCondition> {
  const [first, ...others] = await rarestFirst(tx, botId, tags);
  if (!first) return { from: '', where: [], values: [] };
  const where = [`t.bot_id = ? AND t.kind = 'tag' AND t.name = ? AND t.value = ?`];
  const values: Value[] = [botId, first.name, first.value];
  for (const { name, value } of others) {
    where.push(
      `EXISTS (SELECT 1 FROM tags o WHERE o.resource_id = ${id} AND o.kind = 'tag' AND o.name = ? AND o.value = ?)`,
    );
    values.push(name, value);
  }
  if (exactly) {
    where.push(`(SELECT COUNT(*) FROM tags o WHERE o.resource_id = ${id} AND o.kind = 'tag') = ?`);
    values.push(others.length + 1);
  }
  return { from: 'tags t CROSS JOIN ', where, values };
}
