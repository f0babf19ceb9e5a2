// Bots: code and webhooks that handle events, their runner, logs and cleanup. Other folders import this file only.
export type { Agent } from './agents/agent.ts';
export { isAnsweredByAgent, newAgentRow, serializeAgent } from './agents/deployment.ts';
export type { AgentHooks } from './agents/handlers.ts';
export { agentSettings, readAgent } from './agents/settings.ts';
export { sendTestMessage, type TestAnswer } from './agents/test-message.ts';
export { type AgentTests, createAgentTests } from './agents/test-runs.ts';
export { endParts, interruptsFor } from './answers/asked-interrupts.ts';
export { hasBlock, payloadOf } from './answers/stream.ts';
export {
  begins,
  type ClaimChange,
  type Claims,
  type ClaimsOptions,
  nextEvent,
  polledStates,
} from './attempts/claims.ts';
export type { BotRunnerOptions, WebhookTimes } from './attempts/runner-interface.ts';
export {
  assertCanOpen,
  type BotStreams,
  type EndedAnswer,
  findFinishedMessage,
  idleTimeMs,
  newChange,
  newPiece,
  noStream,
  nothingWritten,
  originOf,
  stoppedBefore,
} from './bot-streams.ts';
export { validateWidgetConfiguration } from './call-checks.ts';
export { removeBotData } from './cleanup.ts';
export { type BotCode, createBotCode, digestBotCode } from './code.ts';
export { botContextOf } from './current-event.ts';
export { removeDevelopmentErrors } from './delivery-failures.ts';
export { botLogLifetimeMs, logTypesOf, maxBotLogs, serializeBotLog } from './log.ts';
export { createBotStreams } from './memory-streams.ts';
export { createBotRunner } from './runner.ts';
export { botSettings } from './settings.ts';
export { mergeState, readState, type StateOwner, storeState } from './states.ts';
export { type BotThreads, inProcess, type LoadedBot, loadBotCode } from './threads/load-bot.ts';
export { type Addresses, createAddressPolicy, isPrivateAllowed } from './webhooks/addresses.ts';
export { createSigningSecret, PostFailure, post, postPush } from './webhooks/post.ts';
export { createDeliveryScheduler, type DuePoll } from './webhooks/scheduler.ts';
