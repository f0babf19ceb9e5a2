// The states of a delivery, as they are stored.

/**
 * The stored value of each delivery state. `pending` blocks later events of the conversation, `deferred` does not (webhooks
 * only), and `deadLetter` is not retried.
 */
export const deliveryStates = { pending: 'waiting', deferred: 'parked', deadLetter: 'dead' } as const;

export type DeliveryState = (typeof deliveryStates)[keyof typeof deliveryStates];
