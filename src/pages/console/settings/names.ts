// The names of the members and of the bots of the workspace, by their ids.

import { useLoaded } from '../../ui/loaded.ts';
import { useConsole } from '../console.ts';

export interface Names {
  members: ReadonlyMap<string, string>;
  bots: ReadonlyMap<string, string>;
}

const noNames: Names = { members: new Map(), bots: new Map() };

/** Empty until they are known, and for what the member may not read. */
export function useNames(): Names {
  const { client, may } = useConsole();
  const { value } = useLoaded(async () => {
    const [members, bots] = await Promise.all([
      may('members.read') ? client.list.workspaceMembers({}).collect() : [],
      may('bots.read') ? client.list.bots({}).collect() : [],
    ]);
    return {
      members: new Map(members.map(({ id, displayName, email }) => [id, displayName || email])),
      bots: new Map(bots.map(({ id, name }) => [id, name])),
    };
  });
  return value ?? noNames;
}
