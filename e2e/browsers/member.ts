// A member of the team in any of the browsers: the inbox, and what a member does in it.
import { AdminClient } from '../../src/client/index.ts';
import { pollUntil } from '../support/poll.ts';
import type { PlatformServer } from '../support/server.ts';
import type { Driver } from './driver.ts';
import { recordErrors } from './page.ts';
import { Screen } from './screen.ts';

/** The messages, notes and events of the conversation that is open. */
export const entry = '.transcript li';

export class Member extends Screen {
  readonly #platform: PlatformServer;
  readonly name: string;

  constructor(driver: Driver, platform: PlatformServer, name: string) {
    super(driver);
    this.#platform = platform;
    this.name = name;
  }

  /** Adds the member, who signs in by a link. `query`: that of the address of the inbox. */
  async signIn(query: string): Promise<void> {
    const admin = new AdminClient({ apiUrl: this.#platform.url, ...this.#platform.admin });
    const email = `${this.name.toLowerCase()}-${crypto.randomUUID()}@example.com`;
    const { id } = await admin.createWorkspaceMember({ email, role: 'support', displayName: this.name });
    const { url } = await admin.createMemberLink({ id, purpose: 'sign-in' });
    const { hash } = new URL(url ?? '');
    await this.driver.goto(`${this.#platform.url}/console/${query}${hash}`);
    await recordErrors(this.driver);
    await this.click('button.main', 'Sign in');
    await this.waitFor('.inbox');
  }

  /** Waits until the text box has the focus, types and sends by keys. */
  async send(text: string): Promise<void> {
    await this.waitForFocus('.composer textarea');
    await this.driver.type(text);
    await this.press('Control+Enter');
    await this.waitFor(entry, text);
  }

  waitForFocus(selector: string): Promise<true> {
    return pollUntil(`${selector} has the focus`, async () =>
      (await this.query(selector)).some(({ hasFocus }) => hasFocus),
    );
  }
}
