// How an owner opens a new server and gets a team, each in their own browser: the link of the start, invitations, and their answers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

/** Of all members. */
export const password = 'four words that stay together';

/** The owner of a new server signs in with the link that its start has printed. */
export async function useSetupLink(page: Page, platform: PlatformServer, name: string): Promise<void> {
  await page.goto((await readFile(join(platform.folder, 'setup-link'), 'utf8')).trim());
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail address').fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Name and look' })).toBeVisible();
}

interface Invitation {
  email: string;
  name?: string;
  role: string;
}

/** The owner invites a member, in the section "Team". Returns the link of the invitation. */
export async function invite(page: Page, { email, name, role }: Invitation): Promise<string> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await dialog.getByLabel('E-mail address').fill(email);
  if (name) await dialog.getByLabel('Name (optional)').fill(name);
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText(role);
  return link;
}

/** A member opens the link of their invitation and chooses a password. */
export async function acceptInvitation(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible();
}
