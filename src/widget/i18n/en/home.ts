// The English strings of the home bundle.

export const homeScreen = {
  home: 'Home',
  continueConversation: 'Continue the conversation',
  allConversations: 'Conversations',
};
