// Adds, changes and deletes teams: their members, and how conversations are assigned to them.
import { useEffect, useState } from 'preact/hooks';
import { type Team, type TeamMode, teamModes } from '../../../../protocol/inbox.ts';
import { Empty, Loading, Problem } from '../../../ui/Page.tsx';
import { type Requests, useRequests } from '../../../ui/requests.ts';
import { t } from '../../../ui/texts.ts';
import { missingPermission } from '../api/describe-error.ts';
import type { Colleague } from '../api/inbox-api.ts';
import type { Inbox } from '../inbox.ts';
import { EntryButtons, FormButtons } from './EntryButtons.tsx';
import { SettingsName } from './SettingsName.tsx';

const modeNameOf = (mode: TeamMode): string =>
  ({
    manual: t('Members take conversations themselves'),
    round_robin: t('Each member in turn'),
    least_busy: t('The member with the fewest conversations'),
  })[mode];

/** The facts of a team, in sentences. */
function factsOf({ mode, capacity, memberIds, isDefault, isRestricted }: Team): string {
  const sentences = [
    mode === 'manual'
      ? t('{mode}.', { mode: modeNameOf(mode) })
      : t('{mode}, at most {count} each.', { mode: modeNameOf(mode), count: capacity }),
    t('Members: {count}.', { count: memberIds.length }),
    isDefault && t('For requests without a team.'),
    isRestricted && t('Only its members see its conversations.'),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** As the server accepts them. */
const limits = { name: 100, capacity: 100 };

const newTeam: Omit<Team, 'id'> = {
  ...{ name: '', mode: 'round_robin', capacity: 5, isRestricted: false, isDefault: false, memberIds: [] },
};

export function TeamsSettings({ inbox }: { inbox: Inbox }) {
  const { team } = inbox;
  const requests = useRequests();
  const [members, setMembers] = useState<Colleague[]>([]);
  const [changed, setChanged] = useState<string>();
  const load = () =>
    void requests.run(async () => {
      setMembers(await inbox.api.listInboxMembers());
      await team.load();
    });
  useEffect(load, [inbox]);
  const refusal = missingPermission(inbox.me.permissions, 'inbox.settings');
  const teams = team.teams.value;
  const form = { members, requests };
  return (
    <>
      <section class="section" aria-labelledby="settings-page">
        <SettingsName page="teams" />
        <p class="intro">
          {t(
            'A conversation is assigned to a member who is available, has the inbox open, and has fewer conversations than the team allows. A bot names the team with handoff({ team }).',
          )}
        </p>
        {refusal && <p class="intro">{refusal}</p>}
        <p class="hint" role="status">
          {teams && requests.message}
        </p>
        {!teams && (requests.message ? <Problem text={requests.message} onRetry={load} /> : <Loading />)}
        {teams?.length === 0 && <Empty>{t('There is no team yet.')}</Empty>}
        <ul class="entries">
          {teams?.map((each) => (
            <li key={each.id}>
              {changed === each.id ? (
                <TeamForm
                  {...form}
                  team={each}
                  button={t('Save team')}
                  onCancel={() => setChanged(undefined)}
                  onSave={async (fields) => {
                    const isDone = await requests.run(
                      () => team.update({ ...each, ...fields }),
                      t('The team was saved.'),
                    );
                    if (isDone) setChanged(undefined);
                  }}
                />
              ) : (
                <>
                  <div class="words">
                    <h3 dir="auto">{each.name}</h3>
                    <p class="text">{factsOf(each)}</p>
                  </div>
                  {!refusal && (
                    <EntryButtons
                      name={each.name}
                      isBusy={requests.isBusy}
                      onChange={() => setChanged(each.id)}
                      onDelete={() =>
                        void requests.run(() => team.remove(each.id), t('The team was deleted.'))
                      }
                    />
                  )}
                </>
              )}
            </li>
          ))}
        </ul>
      </section>
      {!refusal && teams && (
        <section class="section" aria-labelledby="new-team">
          <h2 id="new-team">{t('New team')}</h2>
          <TeamForm
            key={`new ${requests.added}`}
            {...form}
            team={newTeam}
            button={t('Add team')}
            onSave={(fields) => requests.add(() => team.create(fields), t('The team was added.'))}
          />
        </section>
      )}
    </>
  );
}

interface FormProps {
  team: Omit<Team, 'id'>;
  members: readonly Colleague[];
  requests: Requests;
  button: string;
  onSave(fields: Omit<Team, 'id'>): Promise<unknown>;
  onCancel?(): void;
}

function TeamForm({ team, members, requests, button, onSave, onCancel }: FormProps) {
  const [fields, setFields] = useState<Omit<Team, 'id'>>(team);
  const { name, mode, capacity, isRestricted, isDefault, memberIds } = fields;
  const change = (next: Partial<Team>) => setFields({ ...fields, ...next });
  const isComplete = name.trim() !== '';
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (requests.isBusy || !isComplete) return;
        void onSave({ name: name.trim(), mode, capacity, isRestricted, isDefault, memberIds });
      }}
    >
      <label>
        {t('Name')}
        <input
          value={name}
          maxLength={limits.name}
          dir="auto"
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </label>
      <label>
        {t('Conversations go to')}
        <select
          value={mode}
          onChange={({ currentTarget: { value } }) =>
            change({ mode: teamModes.find((each) => each === value) ?? 'manual' })
          }
        >
          {teamModes.map((each) => (
            <option key={each} value={each}>
              {modeNameOf(each)}
            </option>
          ))}
        </select>
      </label>
      {mode !== 'manual' && (
        <label>
          {t('Conversations of a member, at most')}
          <input
            type="number"
            min={0}
            max={limits.capacity}
            step={1}
            required
            value={capacity}
            onInput={({ currentTarget }) => change({ capacity: Math.round(Number(currentTarget.value)) })}
          />
        </label>
      )}
      <fieldset>
        <legend>{t('Members')}</legend>
        {members.map((member) => (
          <label key={member.memberId} class="check">
            <input
              type="checkbox"
              checked={memberIds.includes(member.memberId)}
              onChange={({ currentTarget: { checked } }) => {
                const others = memberIds.filter((id) => id !== member.memberId);
                change({ memberIds: checked ? [...others, member.memberId] : others });
              }}
            />
            <span>
              <bdi>{member.name}</bdi>
              {member.email && ` ${member.email}`}
            </span>
          </label>
        ))}
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={isDefault}
          onChange={({ currentTarget }) => change({ isDefault: currentTarget.checked })}
        />
        {t('For requests that name no team')}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isRestricted}
          onChange={({ currentTarget }) => change({ isRestricted: currentTarget.checked })}
        />
        {t('Only its members and managers see its conversations')}
      </label>
      <FormButtons label={button} isDisabled={requests.isBusy || !isComplete} onCancel={onCancel} />
    </form>
  );
}
