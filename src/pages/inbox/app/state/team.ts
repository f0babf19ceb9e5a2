// The teams of the workspace, and whether the member is assigned conversations.
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Availability, InboxMember, Team } from '../../../../protocol/inbox.ts';
import type { Colleague, InboxApi } from '../api/inbox-api.ts';

export interface TeamState {
  /** Undefined until they were read. */
  readonly teams: ReadonlySignal<readonly Team[] | undefined>;
  /** Colleagues that can be mentioned in a note: all members who can answer visitors. Empty until they were read. */
  readonly colleagues: ReadonlySignal<readonly Colleague[]>;
  /** The member, as they are assigned conversations; undefined until that was read, and for who cannot answer. */
  readonly own: ReadonlySignal<InboxMember | undefined>;
  /** Each rejects as the request does. */
  load(): Promise<void>;
  /** Reads whether the server has made the member away. */
  refreshOwn(): Promise<void>;
  setAvailability(availability: Availability): Promise<void>;
  create(fields: Omit<Team, 'id'>): Promise<void>;
  update(team: Team): Promise<void>;
  remove(id: string): Promise<void>;
  /** The name of a team, once it is known. */
  nameOf(id: string): string | undefined;
}

export function createTeamState({ inbox, me, listInboxMembers }: InboxApi): TeamState {
  const teams = signal<readonly Team[] | undefined>(undefined);
  const colleagues = signal<readonly Colleague[]>([]);
  const own = signal<InboxMember | undefined>(undefined);
  const load = async () => {
    const [response, members] = await Promise.all([inbox.listTeams(), listInboxMembers()]);
    teams.value = response.teams;
    colleagues.value = members;
    own.value = members.find(({ memberId }) => memberId === me.memberId);
  };
  return {
    teams,
    colleagues,
    own,
    load,
    async refreshOwn() {
      // Only who has one can be away.
      if (own.peek()) own.value = (await inbox.getAvailability()).member;
    },
    async setAvailability(availability) {
      own.value = (await inbox.setAvailability({ availability })).member;
    },
    async create(fields) {
      await inbox.createTeam(fields);
      await load();
    },
    // Another team may have been the default one.
    async update(team) {
      await inbox.updateTeam(team);
      await load();
    },
    async remove(id) {
      await inbox.deleteTeam({ id });
      await load();
    },
    nameOf: (id) => teams.value?.find((team) => team.id === id)?.name,
  };
}
