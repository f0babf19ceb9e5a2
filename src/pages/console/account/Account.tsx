// The account of the member who has signed in: name, language, alerts, password and sessions.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { Facts, Page, Section } from '../../ui/Page.tsx';
import { type Preferences, preferencesIn } from '../../ui/preferences.ts';
import { chosenLanguage, consoleLanguages, keepLanguage, t, useWantedLanguage } from '../../ui/texts.ts';
import { OwnAlerts } from '../alerts/OwnAlerts.tsx';
import { useConsole } from '../console.ts';
import { roleName, roleText } from '../roles.ts';
import { saveProfile } from './profile.ts';
import { PasswordSection, SessionsSection } from './sign-in.tsx';

export function Screen() {
  const { member, leave, notice, may } = useConsole();
  const { hasPassword } = member.value;
  /** Other sessions end with a change of the password. */
  const [turn, setTurn] = useState(0);
  const signOut = () => {
    forgetDrafts();
    leave.signOut();
  };
  return (
    <Page
      title={t('Account')}
      actions={
        <button type="button" onClick={signOut}>
          {t('Sign out')}
        </button>
      }
    >
      {notice.value && (
        <p class="notice" role="alert">
          {notice.value}
        </p>
      )}
      <ProfileSection />
      <LanguageSection />
      {may('inbox.read') && <AlertsSection />}
      {may('inbox.read') && <OwnAlerts />}
      {hasPassword && <PasswordSection onChanged={() => setTurn(turn + 1)} />}
      <SessionsSection key={turn} />
    </Page>
  );
}

function ProfileSection() {
  const console = useConsole();
  const { member, workspace } = console.member.value;
  const { displayName = '', profilePicture = '', email, role } = member;
  const limits = inputs.updateAccount;
  return (
    <Section title={t('You')}>
      <Facts
        facts={[
          [t('E-mail address'), email],
          [t('Workspace'), workspace.name],
          [
            t('Role'),
            <>
              {roleName(role)}
              <span class="second">{roleText(role)}</span>
            </>,
          ],
        ]}
      />
      <Form
        label={t('You')}
        fields={[
          {
            name: 'displayName',
            label: t('Your name'),
            help: t('Visitors see it when you answer.'),
            autocomplete: 'name',
            limits: inputs.createWorkspaceMember.displayName,
          },
          {
            name: 'profilePicture',
            label: t('Address of your picture (optional)'),
            kind: 'url',
            limits: limits.profilePicture,
          },
        ]}
        initial={{ displayName, profilePicture }}
        button={t('Save')}
        success={t('Saved.')}
        onSubmit={(values) =>
          saveProfile(console, {
            displayName: String(values.displayName ?? '').trim(),
            profilePicture: String(values.profilePicture ?? '').trim(),
          })
        }
      />
    </Section>
  );
}

/** The name of a language in itself. */
function languageName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

function LanguageSection() {
  const { redraw } = useConsole();
  const choose = async (language: string) => {
    keepLanguage(language);
    await useWantedLanguage(language);
    redraw();
  };
  return (
    <Section title={t('Language')}>
      <div class="filters">
        <label>
          {t('Language of the console, in this browser')}
          <select value={chosenLanguage()} onChange={({ currentTarget }) => void choose(currentTarget.value)}>
            <option value="">{t('As the browser')}</option>
            {consoleLanguages.map((language) => (
              <option key={language} value={language} lang={language}>
                {languageName(language)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </Section>
  );
}

/** The storage of the browser; undefined if it is blocked. */
function storageOfBrowser(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

function AlertsSection() {
  const [preferences] = useState(() => preferencesIn(storageOfBrowser()));
  const current = preferences.current.value;
  const [problem, setProblem] = useState('');
  const box = (
    name: keyof Preferences,
    label: ComponentChildren,
    onChange = (isOn: boolean) => preferences.change({ [name]: isOn }),
  ) => (
    <label class="check">
      <input
        type="checkbox"
        checked={current[name]}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
  const setNotifications = async (isOn: boolean) => {
    setProblem('');
    if (!isOn) return preferences.change({ notifications: false });
    if (typeof Notification === 'undefined') return setProblem(t('This browser has no notifications here.'));
    const permission = await Notification.requestPermission();
    if (permission === 'granted') return preferences.change({ notifications: true });
    // The box is drawn as it was.
    preferences.change({ notifications: false });
    setProblem(t('This browser does not allow notifications for this page. Change it in its settings.'));
  };
  return (
    <Section title={t('Alerts and keys of the inbox')} intro={t('For this browser.')}>
      <div>
        {box('sound', t('Sound when a visitor waits or writes to me'))}
        {box(
          'notifications',
          t('Notifications while I look at something else'),
          (isOn) => void setNotifications(isOn),
        )}
        {box('singleKeys', t('Single letters are shortcuts'))}
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
    </Section>
  );
}

/** Removes unsent texts of the inbox: others may use this browser. */
function forgetDrafts(): void {
  const storage = storageOfBrowser();
  for (const key of Object.keys(storage ?? {})) {
    if (key.startsWith('inbox draft ') || key.startsWith('inbox mentions ')) storage?.removeItem(key);
  }
}
