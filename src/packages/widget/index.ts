// The exports of `@platform-webchat/widget`: types of the chat's page API.
export type * from '../../widget/global.ts';
