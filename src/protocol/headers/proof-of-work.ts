// The header that contains a proof of work.

export const proofHeader = {
  name: 'x-user-proof',
  description: 'The solved challenge of `ChallengeRequired`: `challenge.nonce`.',
  // A repeated request may need another proof than the first one.
  isVolatile: true,
} as const;
