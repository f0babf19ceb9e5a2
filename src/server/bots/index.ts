// Bots: code and webhooks that handle events, their runner, logs and cleanup. Other folders import this file only.

export type { Agent } from './agents/agent.ts';
export { newAgentRow, serializeAgent } from './agents/deployment.ts';
export type { AgentHooks } from './agents/handlers.ts';
export { agentSettings, readAgent } from './agents/settings.ts';
export { isAnsweredByAgent } from './agents/stored-agent.ts';
export { sendTestMessage, type TestAnswer } from './agents/test-message.ts';
export { endParts } from './answers/asked-interrupts.ts';
export { hasBlock, payloadOf } from './answers/stream.ts';
export type { BotRunnerOptions, WebhookTimes } from './attempts/runner-interface.ts';
export { validateWidgetConfiguration } from './call-checks.ts';
export {
  begins,
  type ClaimChange,
  type Claims,
  type ClaimsOptions,
  nextEvent,
  polledStates,
} from './claims/claims.ts';
export { removeBotData } from './cleanup.ts';
export { type BotCode, createBotCode } from './code.ts';
export { digestBotCode } from './code-digest.ts';
export { botContextOf } from './current-event.ts';
export { removeDevelopmentErrors } from './development-error.ts';
export { botLogLifetimeMs, logTypesOf, maxBotLogs, serializeBotLog } from './log.ts';
export { createBotRunner } from './runner.ts';
export { interruptsFor } from './runtime-streams/asked-user.ts';
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
} from './runtime-streams/bot-streams.ts';
export { createBotStreams } from './runtime-streams/memory-streams.ts';
export { botSettings } from './settings.ts';
export { mergeState, readState, type StateOwner, storeState } from './states.ts';
export { type BotThreads, inProcess, type LoadedBot, loadBotCode } from './threads/load-bot.ts';
export { postPush } from './webhooks/post-push.ts';
export { createDeliveryScheduler, type DuePoll } from './webhooks/scheduler.ts';
export { createSigningSecret } from './webhooks/sign.ts';
