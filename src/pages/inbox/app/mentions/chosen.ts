// The members that the user has chosen for names in a text, because two members can have the same name. Pure.

/** A name in a text, from its at sign to its end, that was inserted for a member. */
export interface Chosen {
  from: number;
  to: number;
  memberId: string;
}

/**
 * Where the chosen names are after a text has changed; those that were changed themselves are left out. `caret`: where the change
 * ended, which tells two equal names apart.
 */
export function moveChosen(
  chosen: readonly Chosen[],
  before: string,
  after: string,
  caret = after.length,
): Chosen[] {
  // What follows the caret was there before.
  const most = Math.min(after.length - caret, before.length);
  let kept = 0;
  while (kept < most && before.at(-1 - kept) === after.at(-1 - kept)) kept += 1;
  const limit = Math.min(before.length, after.length) - kept;
  let start = 0;
  while (start < limit && before[start] === after[start]) start += 1;
  const end = before.length - kept;
  const step = after.length - before.length;
  return chosen.flatMap((name) => {
    if (name.to <= start) return [name];
    return name.from >= end ? [{ ...name, from: name.from + step, to: name.to + step }] : [];
  });
}
