// What the session promises of the words it holds. For tests: a promise that is not kept yet is false, and its law off.
export const keeps = {
  /** What is not on the server yet outlives the page, and goes out by itself when it can. */
  unsent: true,
  /** What is typed while a new conversation is being made. */
  typedWhileRestarting: true,
  /** What one tab holds unsent does not go out as the user whom another tab has logged in. */
  tabsApart: false,
  /** What was said while the stream was down is listed, also where an own message was sent in between. */
  listsThrough: true,
  /** A visitor or a conversation that is deleted while it is entered for the first time is replaced, as later. */
  healsAtFirst: true,
  /** What is tried again when the server has forgotten its key (24 hours) is not stored twice. */
  onceAfterADay: true,
  /** What was stored unheard, and deleted with its conversation, can be sent in the next one. */
  sendsInNext: true,
};
