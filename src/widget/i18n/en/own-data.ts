// The English strings of the bundle for the visitor's own data: deleting it, and sending the conversation by e-mail.

export const ownData = {
  deleteQuestion: 'Delete your data?',
  deleteExplained:
    'Your conversations, files and contact details in this chat are deleted for good, on the server and in this browser. This cannot be undone.',
  deleteConfirm: 'Delete',
  deleting: 'Deleting …',
  deleted: 'Your data was deleted',
  deletedExplained: 'This chat knows nothing about you any more.',
  mailAddress: 'Your e-mail address',
  mailSent: 'The conversation was sent to {email}',
  mailLink: 'Open the link that we have sent to {email}',
  mailTooMany: 'Too many e-mails to this address. Please try again later.',
  mailInvalid: 'Please enter a valid address',
  mailFailed: 'Could not be sent. Please try again.',
  closeDialog: 'Close',
  deleteFailed: 'Could not be deleted. Please try again.',
};
