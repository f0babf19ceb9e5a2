// The strings of the launcher in the present language: English, until the i18n bundle replaces them in place.
import en from '../../locales/en.json' with { type: 'json' };

export const strings = {
  ...en.widget.launcher,
  unread: (count: number) => `Open chat, ${count} unread message${count === 1 ? '' : 's'}`,
};
