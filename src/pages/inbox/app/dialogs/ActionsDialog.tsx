// All actions with their keys, filtered by what is typed: the one place where everything can be found.
import { useState } from 'preact/hooks';
import { type InboxRow, inboxLists } from '../../../../protocol/inbox.ts';
import { fold } from '../../../../protocol/locale/folding.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { t } from '../../../ui/texts.ts';
import { commandsFor, listKeys } from '../commands.ts';
import { focusRow, focusSearch } from '../components/focus.ts';
import type { Inbox } from '../inbox.ts';
import { listNameOf } from '../state/lists.ts';
import { openSettings, settingsNameOf, settingsPages } from '../state/route.ts';

interface Action {
  label: string;
  keys: string;
  refusal?: string | undefined;
  run(): void;
}

interface Props {
  inbox: Inbox;
  row: InboxRow | undefined;
  onClose(): void;
}

export function ActionsDialog({ inbox, row, onClose }: Props) {
  const [filter, setFilter] = useState('');
  const matches = actionsOf(inbox, row).filter(({ label }) => fold(label).includes(fold(filter)));
  const run = (action: Action | undefined) => {
    if (!action || action.refusal) return;
    onClose();
    action.run();
  };
  return (
    <Dialog title={t('Actions')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(matches.find(({ refusal }) => !refusal));
        }}
      >
        <input
          type="search"
          aria-label={t('Find an action')}
          placeholder={t('Find an action')}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </form>
      <ul class="choices">
        {matches.map((action) => (
          <li key={action.label}>
            <button
              type="button"
              aria-disabled={action.refusal !== undefined}
              title={action.refusal}
              onClick={() => run(action)}
            >
              <span>
                {action.label}
                {action.refusal && <span class="hint">{action.refusal}</span>}
              </span>
              <kbd>{action.keys}</kbd>
            </button>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {matches.length === 0 && t('No action has this name.')}
      </p>
    </Dialog>
  );
}

function actionsOf(inbox: Inbox, row: InboxRow | undefined): Action[] {
  const ofRow = row
    ? commandsFor(row, inbox.me.memberId).map(([, command]) => ({
        label: command.label,
        keys: command.key,
        refusal: command.refusal?.(inbox, row),
        run: () => command.run(inbox, row),
      }))
    : [];
  const ofLists = inboxLists.map((list) => ({
    label: t('Go to {list}', { list: listNameOf(list) }),
    keys: `g ${Object.entries(listKeys).find(([, name]) => name === list)?.[0]}`,
    run() {
      inbox.router.go({ list, conversationId: undefined, isVisitorShown: false });
      focusRow(undefined);
    },
  }));
  const open = (name: 'keys') => () => inbox.openDialog(name);
  return [
    ...ofRow,
    ...ofLists,
    { label: t('Search in this list'), keys: '/', run: () => focusSearch(inbox) },
    { label: t('Keyboard'), keys: '?', run: open('keys') },
    { label: t('Preferences'), keys: '', run: () => inbox.leave.account() },
    ...settingsPages.map((page) => ({
      label: t('Settings: {page}', { page: settingsNameOf(page) }),
      keys: '',
      run: () => openSettings(inbox, page),
    })),
  ];
}
