// The list of sources: title and host. Nothing of them is fetched.
import type { Source } from './read-parts.ts';
import { strings } from './strings.ts';

export function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers
    <ol class="source-list" role="list">
      {sources.map(({ title, link }, index) => (
        <li part="source">
          <span aria-hidden="true">{index + 1}.</span>
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
          </div>
        </li>
      ))}
    </ol>
  );
}
