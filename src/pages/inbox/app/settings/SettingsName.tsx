// The name of a page of the settings, which has the focus after the page was opened.
import { type SettingsPage, settingsNameOf } from '../state/route.ts';

export const SettingsName = ({ page }: { page: SettingsPage }) => (
  <h2 id="settings-page" tabIndex={-1}>
    {settingsNameOf(page)}
  </h2>
);
