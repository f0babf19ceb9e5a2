// Chooses the colleague who answers from now on, or the team in whose queue the visitor waits.
import { useEffect, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/handling/inbox.ts';
import { describeError } from '../api/describe-error.ts';
import type { Colleague } from '../api/inbox-api.ts';
import type { Inbox } from '../inbox.ts';
import { Dialog } from './Dialog.tsx';

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
  return (
    <Dialog title="Assign to" onClose={onClose}>
      <ul class="choices">
        {colleagues?.map(({ memberId, name }) => {
          const isCurrent = row.assignee?.memberId === memberId;
          return (
            <li key={memberId}>
              <button
                type="button"
                dir="auto"
                aria-disabled={isCurrent}
                onClick={() => {
                  if (isCurrent) return;
                  onClose();
                  void inbox.actions.assign(row, { memberId });
                }}
              >
                {name}
                {memberId === inbox.me.memberId && ' (you)'}
                {isCurrent && <span class="hint">answers now</span>}
              </button>
            </li>
          );
        })}
      </ul>
      {teams.length > 0 && <h3>Or put it into the queue of a team</h3>}
      <ul class="choices">
        {teams.map((team) => {
          const isCurrent = row.teamId === team.id && row.state === 'waiting';
          return (
            <li key={team.id}>
              <button
                type="button"
                dir="auto"
                aria-disabled={isCurrent}
                onClick={() => {
                  if (isCurrent) return;
                  onClose();
                  void inbox.actions.assign(row, { teamId: team.id });
                }}
              >
                {team.name}
                {isCurrent && <span class="hint">waits here</span>}
              </button>
            </li>
          );
        })}
      </ul>
      <p class="hint" role="status">
        {problem || (!colleagues && 'Loading…')}
      </p>
    </Dialog>
  );
}
