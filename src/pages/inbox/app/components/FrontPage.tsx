// The frame of a page in front of the conversations, as other sections of the console have it: a heading, tabs, and sections below.
import type { ComponentChildren } from 'preact';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { Link } from './Link.tsx';

interface Props {
  inbox: Inbox;
  kind: 'settings' | 'reports';
  title: string;
  tabs?: ComponentChildren;
  children: ComponentChildren;
}

export function FrontPage({ inbox, kind, title, tabs, children }: Props) {
  const behind = { ...inbox.router.route.value, settings: undefined, report: undefined };
  return (
    <section class={`pane ${kind}`} aria-labelledby={`${kind}-name`}>
      <div class="scroll page">
        <header class="page-header">
          <div class="page-title">
            <h1 id={`${kind}-name`} tabIndex={-1}>
              {title}
            </h1>
            <Link inbox={inbox} class="plain" isBack to={behind}>
              <Icon name="close" />
              <span class="visually-hidden">{t('Back to the conversations')}</span>
            </Link>
          </div>
          {tabs}
        </header>
        <div class="page-content">{children}</div>
      </div>
    </section>
  );
}
