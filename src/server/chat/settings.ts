// The settings of conversations and their participants.
import { oneOf, type SettingsOf, setting } from '../startup/setting.ts';

export const chatSettings = {
  PARTICIPANTS: setting({
    doc: '`invited`: a user joins the conversation of another user by accepting an invitation. `direct`: the owner adds users without an invitation, and can then read their profiles (docs/concepts/security.md).',
    default: 'invited',
    schema: oneOf('invited', 'direct'),
  }),
  VISITOR_LOCALE: setting({
    doc: 'Whether bots get the language of the page, the language of the chat and the time zone of the visitor: `on` or `off`. With `off` the widget does not send them ([security.md](../concepts/security.md#languages-and-time-zone)).',
    default: 'on',
    schema: oneOf('on', 'off'),
  }),
};

export type ChatSettings = SettingsOf<typeof chatSettings>;
