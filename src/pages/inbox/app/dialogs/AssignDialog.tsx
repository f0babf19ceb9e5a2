// Chooses the colleague who answers from now on, or the team in whose queue the visitor waits.
import { useEffect, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { t } from '../../../ui/texts.ts';
import { describeError } from '../api/describe-error.ts';
import type { Colleague } from '../api/inbox-api.ts';
import type { Inbox } from '../inbox.ts';

interface Props {
  inbox: Inbox;
  row: InboxRow;
  onClose(): void;
}

export function AssignDialog({ inbox, row, onClose }: Props) {
  const [colleagues, setColleagues] = useState<Colleague[]>();
  const [problem, setProblem] = useState('');
  const teams = inbox.team.teams.value ?? [];
  useEffect(() => {
    inbox.api.listColleagues().then(setColleagues, (error) => setProblem(describeError(error)));
  }, [inbox]);
  const assign = (to: { memberId: string } | { teamId: string }) => {
    onClose();
    void inbox.actions.assign(row, to);
  };
  return (
    <Dialog title={t('Assign to')} onClose={onClose}>
      <ul class="choices">
        {colleagues?.map(({ memberId, name, email }) => (
          <Choice
            key={memberId}
            label={[memberId === inbox.me.memberId ? t('{name} (you)', { name }) : name, email]
              .filter(Boolean)
              .join(' ')}
            current={row.assignee?.memberId === memberId && t('answers now')}
            onChoose={() => assign({ memberId })}
          />
        ))}
      </ul>
      {teams.length > 0 && <h3>{t('Or put it into the queue of a team')}</h3>}
      <ul class="choices">
        {teams.map((team) => (
          <Choice
            key={team.id}
            label={team.name}
            current={row.teamId === team.id && row.state === 'waiting' && t('waits here')}
            onChoose={() => assign({ teamId: team.id })}
          />
        ))}
      </ul>
      <p class="hint" role="status">
        {problem || (!colleagues && t('Loading…'))}
      </p>
    </Dialog>
  );
}

interface ChoiceProps {
  label: string;
  /** Note on the conversation if it is chosen already. */
  current: string | false;
  onChoose(): void;
}

function Choice({ label, current, onChoose }: ChoiceProps) {
  return (
    <li>
      <button
        type="button"
        dir="auto"
        aria-disabled={current !== false}
        onClick={() => {
          if (current === false) onChoose();
        }}
      >
        {label}
        {current !== false && <span class="hint">{current}</span>}
      </button>
    </li>
  );
}
