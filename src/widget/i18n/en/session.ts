// The English words of messages that the server does not have.

export const visit = {
  queued: 'Waiting to be sent',
  failed: 'Not sent',
  retry: 'Try again',
  discard: 'Discard',
};
