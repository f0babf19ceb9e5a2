// The pages of the settings by name, and how they are opened.
import type { Inbox } from '../inbox.ts';
import type { SettingsPage } from './route.ts';

export const settingsNames: Record<SettingsPage, string> = {
  answers: 'Canned answers',
  hours: 'Opening hours',
  teams: 'Teams',
};

/** Shows a page of the settings; the back button leads to what is shown now. */
export const openSettings = ({ router }: Pick<Inbox, 'router'>, settings: SettingsPage): void =>
  router.go({ ...router.route.peek(), isVisitorShown: false, report: undefined, settings });
