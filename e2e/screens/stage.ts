// The page in which the states of the widget are entered, and the server of its chat.
import { ChatPage } from '../support/chat-page.ts';
import { freePort } from '../support/server.ts';

/** The environment of a server that offers ways by mail, and sends none. */
export async function screensEnv(): Promise<Record<string, string>> {
  const port = await freePort();
  return {
    BOT: 'e2e/screens/bot.js',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'chat@example.com',
    // Apps are drawn.
    sandbox: 'on',
  };
}

/** Attributes of the script tag that enable every optional part. */
export const allFeatures =
  'data-prefetch="false" data-allow-file-upload data-emoji-picker data-dictation data-voice-messages data-feedback-enabled data-sound-enabled data-delete-data data-bot-description="Here to help" data-footer="Made with [care](https://example.org)"';

/** A chat whose bot gets its instructions by events, which nobody sees, and not by messages. */
export class InstructedChat extends ChatPage {
  override async instructBot(orders: object): Promise<void> {
    const { client, conversationId } = await this.visitor();
    await client.createEvent({ conversationId, payload: { text: JSON.stringify(orders) } });
  }
}
