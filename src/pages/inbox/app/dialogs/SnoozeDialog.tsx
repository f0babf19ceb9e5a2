// Until when a conversation is put aside.
import { useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { t } from '../../../ui/texts.ts';
import { momentOf } from '../components/times.ts';
import type { Inbox } from '../inbox.ts';

interface Props {
  inbox: Inbox;
  row: InboxRow;
  onClose(): void;
}

export function SnoozeDialog({ inbox, row, onClose }: Props) {
  const [custom, setCustom] = useState('');
  const snooze = (until: Date | undefined) => {
    onClose();
    void inbox.actions.snooze(row, until?.toISOString());
  };
  const chosen = new Date(custom);
  const isValid = chosen.getTime() > Date.now();
  return (
    <Dialog title={t('Snooze')} onClose={onClose}>
      <p>{t('A message of the visitor ends it in any case.')}</p>
      <ul class="choices">
        <li>
          <button type="button" onClick={() => snooze(undefined)}>
            {t('Until they write')}
          </button>
        </li>
        {snoozeTimes(new Date()).map(([label, until]) => (
          <li key={label}>
            <button type="button" onClick={() => snooze(until)}>
              {label} <span class="hint">{momentOf(until.toISOString())}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) snooze(chosen);
        }}
      >
        <label>
          {t('Until')}
          <input
            type="datetime-local"
            value={custom}
            onInput={({ currentTarget }) => setCustom(currentTarget.value)}
          />
        </label>
        <button type="submit" aria-disabled={!isValid}>
          {t('Snooze')}
        </button>
      </form>
      <p class="hint" role="alert">
        {custom && !isValid && t('Choose a time that is to come.')}
      </p>
    </Dialog>
  );
}

/** The usual times, in the time zone of the browser. */
export function snoozeTimes(now: Date): [label: string, until: Date][] {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const times: [string, Date][] = [
    [t('In an hour'), new Date(now.getTime() + 60 * 60_000)],
    [t('Tomorrow'), at(1, 9)],
    [t('Next Monday'), at(untilMonday, 9)],
  ];
  // On a Sunday, tomorrow is Monday.
  return untilMonday === 1 ? times.slice(0, 2) : times;
}
