// The answers to the form before a conversation.

export const preChatForms = `
  -- pre_chat_form: topic, consent and fields of the site (JSON); null without a form. Name and e-mail address are the visitor's.
  ALTER TABLE conversations ADD COLUMN pre_chat_form TEXT;
  `;
