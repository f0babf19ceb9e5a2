// Tests the notes of a release (scripts/release-notes.mjs), and that the workflow of releases names existing things.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as notes from '../scripts/release-notes.mjs';

const { changelogSection, commitList } = notes as unknown as {
  changelogSection(changelog: string, version: string): string;
  commitList(subjects: string[]): string;
};
const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

const changelog = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-01-02

### Added

- One thing ([guide](docs/guide.md), [site](https://example.org)).

## [1.0.0] - 2026-01-01

- First.
`;

test('release notes: the section of the version, without links into the repository', () => {
  expect(changelogSection(changelog, '1.1.0')).toBe(
    '### Added\n\n- One thing (guide, [site](https://example.org)).',
  );
  expect(changelogSection(changelog, '1.0.0')).toBe('- First.');
});

test.each(['1.2.0', '1.1', '', 'Unreleased'])(
  'release notes: a version without a section, or with an empty one, is refused: "%s"',
  (version) => {
    expect(() => changelogSection(changelog, version)).toThrow('CHANGELOG.md has no section');
  },
);

test('release notes: commits by kind, breaking ones first, without those that users do not notice', () => {
  const subjects = [
    'feat(widget): a thing',
    'test(e2e): more',
    'fix: a fault',
    'feat(server)!: another name',
    'Merge branch',
    'feature: no kind',
  ];
  expect(commitList(subjects)).toBe(
    '### Breaking changes\n\n- **server**: another name\n\n### Features\n\n- **widget**: a thing\n\n### Fixes\n\n- a fault\n',
  );
  expect(commitList(['docs: a page'])).toBe('');
});

test('release notes: the released versions of the changelog have sections', () => {
  const text = read('CHANGELOG.md');
  const versions = [...text.matchAll(/^## \[(\d[\d.]*)\]/gm)].map(([, version = '']) => version);
  expect(versions.length).toBeGreaterThan(1);
  for (const version of versions) expect(changelogSection(text, version)).not.toBe('');
});

test('the workflow of releases publishes every package with provenance, after those that it depends on', async () => {
  const { packageNames } = (await import('../scripts/build/packages.mjs' as string)) as {
    packageNames: string[];
  };
  const workflow = read('.github/workflows/release.yml');
  const loop = /for name in ([\w ]+); do\n\s+npm publish (.+)/.exec(workflow);
  expect(loop?.[1]?.split(' ')).toEqual(packageNames);
  expect(loop?.[2]).toContain('--provenance');
  expect(workflow).toContain('id-token: write');
});

test('the job that may write and publish runs no tests and no newest versions of other projects', () => {
  const [, ...jobs] = read('.github/workflows/release.yml').split(/^ {2}(?=\w+:$)/m);
  const isPrivileged = (job: string) => /write$|NPM_TOKEN/m.test(job);
  const [before] = read('.github/workflows/release.yml').split(/^jobs:/m);
  expect(before).not.toMatch(/write$/m);
  expect(jobs.filter(isPrivileged)).toHaveLength(1);
  for (const job of jobs.filter(isPrivileged)) {
    expect(job).toMatch(/^ {4}needs: /m);
    expect(job).not.toMatch(/npm test|npm run test|npx /);
    expect(job).toContain('npm ci --ignore-scripts');
  }
  // Otherwise each step could push with the token that the checkout leaves in .git/config.
  for (const job of jobs.filter((job) => job.includes('actions/checkout')))
    expect(job).toContain('persist-credentials: false');
});
