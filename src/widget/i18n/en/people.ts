// The English strings of the people bundle: who answers, and asking for a person.

export const handling = {
  waitingForPerson: 'Waiting for a person',
  waitingBehind: 'Waiting for a person. Before you: {count}',
  answersAgain: 'A person answers again: {time}',
  backToBot: 'Back to the assistant',
  talkToPerson: 'Talk to a person',
  endConversation: 'End the conversation',
  notPossible: 'This did not work. Please try again.',
  personRequested: 'A person was asked for',
  personJoined: '{name} joined',
  personLeft: '{name} left',
  botAnswers: 'The assistant answers again',
  conversationEnded: 'The conversation has ended',
  personNamed: '{name} (person)',
  seen: 'Seen',
};
