// The bar above a list: the way back to all lists, where there is no space for both, and its name.
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { Link } from './Link.tsx';

export function ListBar({ inbox, name }: { inbox: Inbox; name: string }) {
  return (
    <div class="bar">
      <Link
        inbox={inbox}
        class="plain back"
        isBack
        to={{ list: undefined, conversationId: undefined, isVisitorShown: false }}
      >
        <Icon name="back" />
        <span class="visually-hidden">{t('All lists')}</span>
      </Link>
      <h2 id="list-name" tabIndex={-1}>
        {name}
      </h2>
    </div>
  );
}
