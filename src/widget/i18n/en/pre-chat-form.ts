// The English strings of the pre-chat form bundle: what visitors are asked before a conversation. Some are those of other bundles
// again, because a file that two lazy bundles share would be one more request.

export const preChatForm = {
  formTitle: 'Before we begin',
  formName: 'Name',
  formEmail: 'E-mail address',
  formTopic: 'Topic',
  formStart: 'Start the chat',
  formConsent: 'Please agree to this: the chat cannot begin without it',
  formCharacters: 'Please leave out special characters',
  formMissing: 'Please fill in this field',
  formNoEmail: 'Please enter an e-mail address',
  formLongest: 'Maximum length: {value}',
  formOptional: 'optional',
  formBack: 'Back to the conversation',
};
