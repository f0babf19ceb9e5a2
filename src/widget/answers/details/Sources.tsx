// The list of sources: title, host, page and passage. The sources are not fetched.
import type { SourcePart } from '../../../protocol/parts.ts';
import { interpolate } from '../../i18n/current.ts';
import { readSource } from './read-source.ts';
import { strings } from './strings.ts';

export function Sources({ sources }: { sources: readonly SourcePart[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers
    <ol class="source-list" role="list">
      {sources.map(readSource).map(({ title, link, snippet, page }, index) => (
        <li part="source">
          <span aria-hidden="true">{index + 1}</span>
          <div>
            {link ? (
              <a
                href={link.href}
                target="_blank"
                rel="noopener noreferrer nofollow"
                title={strings.newTab}
                dir="auto"
                data-source={index + 1}
              >
                {title}
              </a>
            ) : (
              <bdi tabIndex={-1} data-source={index + 1}>
                {title}
              </bdi>
            )}
            {link && <small dir="ltr">{link.host}</small>}
            {page && <small>{interpolate(strings.sourcePage, { page })}</small>}
            {snippet && <small dir="auto">{snippet}</small>}
          </div>
        </li>
      ))}
    </ol>
  );
}
