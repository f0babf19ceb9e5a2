// Sends a push by the rules of webhooks: one address that is checked, no redirects.
import type { PostPush } from '../../chat/index.ts';
import { createAddresses } from './addresses.ts';
import { post } from './post.ts';

export const postPush: PostPush = ({ isPrivateAllowed, ...request }) =>
  post({ ...request, addresses: createAddresses(isPrivateAllowed) });
