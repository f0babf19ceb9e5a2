// The English strings of the push bundle: notifications about answers.

export const push = {
  pushOffer: 'Tell me about answers',
  pushOn: 'You will get a notification when somebody has answered',
  pushOff: 'Switch off notifications',
  pushBlocked: 'Notifications are blocked in this browser',
};
