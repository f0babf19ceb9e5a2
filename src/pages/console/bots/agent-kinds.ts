// The kinds of agents at an address, for people, and the deployment as the values of the form.
import type { AgentDeployment, Deployment } from '../../../protocol/types/bots.ts';
import type { FormValues } from '../../ui/Form.tsx';
import { t } from '../../ui/texts.ts';

export type Answerer = 'people' | 'agent' | 'webhook' | 'code' | 'server';
type Protocol = AgentDeployment['protocol'];

/** The kinds in the order of the form. */
export const agentKinds = (): { value: Protocol; label: string }[] => [
  { value: 'openai-chat', label: t('Language model (OpenAI-compatible chat completions)') },
  { value: 'openai-responses', label: t('Language model (OpenAI Responses)') },
  { value: 'ag-ui', label: t('Agent (AG-UI)') },
  { value: 'ai-sdk', label: t('Agent (AI SDK)') },
];

/** Whether a kind needs the name of a model. */
export const hasModel = (kind: unknown): boolean => kind === 'openai-chat' || kind === 'openai-responses';

export const answererOf = (deployment: Deployment, answeredBy: Answerer | undefined): Answerer =>
  deployment.agent
    ? 'agent'
    : deployment.webhookUrl !== undefined
      ? 'webhook'
      : deployment.code !== undefined
        ? 'code'
        : answeredBy === 'server'
          ? 'server'
          : 'people';

/** The values of the form for what is stored. The key is not: it cannot be read. */
export function valuesOf({ agent, webhookUrl = '', code = '' }: Deployment): FormValues {
  const { knowledge } = agent ?? {};
  return {
    protocol: agent?.protocol ?? 'openai-chat',
    url: agent?.url ?? '',
    model: agent?.model ?? '',
    key: '',
    instructions: agent?.instructions ?? '',
    knowledge: agent ? (knowledge === 'all' ? 'all' : knowledge ? 'some' : 'none') : 'all',
    webhookUrl,
    code,
  };
}

/** The input of an agent: what the form does not show stays as it is stored. */
export function agentOf(values: FormValues, stored: AgentDeployment | undefined) {
  const text = (name: string) => String(values[name] ?? '').trim();
  const protocol = values.protocol as Protocol;
  const kept = stored?.protocol === protocol ? stored : undefined;
  const knowledge =
    values.knowledge === 'all'
      ? ('all' as const)
      : values.knowledge === 'some'
        ? stored?.knowledge
        : undefined;
  return {
    url: text('url'),
    protocol,
    ...(hasModel(protocol) && { model: text('model') }),
    ...(text('instructions') && { instructions: text('instructions') }),
    ...(text('key') && { key: text('key') }),
    ...(knowledge && { knowledge }),
    ...(kept?.options && { options: kept.options }),
    ...(kept && { show: kept.show }),
    ...(kept?.timeout !== undefined && { timeout: kept.timeout }),
  };
}
