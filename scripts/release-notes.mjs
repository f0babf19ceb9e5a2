// Prints the notes of a release: the section of CHANGELOG.md, and below it all commits since the last release by their
// kind (Conventional Commits). `node scripts/release-notes.mjs 0.3.0`
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const titles = { feat: 'Features', fix: 'Fixes', perf: 'Performance' };

/** @throws if the changelog has no section of this version, or an empty one. */
export function changelogSection(changelog, version) {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}]`));
  const text = section?.slice(section.indexOf('\n')).trim();
  if (!text) throw new Error(`CHANGELOG.md has no section ## [${version}].`);
  // Links of the repository do not work on the page of a release.
  return text.replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, '$1');
}

/** A list for each kind of commit; kinds that users do not notice are left out, breaking changes come first. */
export function commitList(subjects) {
  const lists = new Map(['Breaking changes', ...Object.values(titles)].map((title) => [title, []]));
  for (const subject of subjects) {
    const [, kind = '', scope, isBreaking, text] = /^(\w+)(?:\(([^)]+)\))?(!)?: (.+)$/.exec(subject) ?? [];
    const title = isBreaking ? 'Breaking changes' : titles[kind];
    if (title) lists.get(title).push(`- ${scope ? `**${scope}**: ` : ''}${text}`);
  }
  return [...lists]
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `### ${title}\n\n${lines.join('\n')}\n`)
    .join('\n');
}

/** The subjects of the commits since the tag before HEAD, newest first; all of them without such a tag. */
function subjectsSinceLastRelease() {
  const git = (...args) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let range = 'HEAD';
  try {
    range = `${git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').trim()}..HEAD`;
  } catch {
    // The first release.
  }
  return git('log', '--no-merges', '--format=%s', range).trim().split('\n');
}

if (import.meta.filename === process.argv[1]) {
  const notes = changelogSection(readFileSync('CHANGELOG.md', 'utf8'), process.argv[2] ?? '');
  const commits = commitList(subjectsSinceLastRelease());
  console.log(
    commits ? `${notes}\n\n<details><summary>All commits</summary>\n\n${commits}\n</details>` : notes,
  );
}
