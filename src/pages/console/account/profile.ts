// The name and the picture of the member.
import type { Console } from '../console.ts';

/** Changes the name or the picture of the member, also where the console shows them. */
export async function saveProfile(
  { client, refresh }: Console,
  profile: { displayName: string; profilePicture?: string },
): Promise<void> {
  await client.updateAccount(profile);
  await refresh();
}
