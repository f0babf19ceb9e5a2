// The English strings of the conversations bundle: the list of the visitor's conversations, and the search in their messages.

export const conversations = {
  searchMessages: 'Search messages',
  noMessages: 'No messages yet',
  nothingFound: 'Nothing found',
  showMore: 'Show more',
  backToConversation: 'Back to the conversation',
  listFailed: 'Could not be loaded',
};
