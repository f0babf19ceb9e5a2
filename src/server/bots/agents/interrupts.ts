// Interrupts of agents: creates the question for the visitor, and reads the answers for the agent.
import * as v from 'valibot';
import type { ResumeEvent } from '../../../protocol/bot.ts';
import {
  type ResponseProperty,
  type ResponseSchema,
  stringFormats,
} from '../../../protocol/interrupts/response-schema.ts';
import { limits } from '../../../protocol/limits.ts';
import { chooseLocale } from '../../../protocol/locale/choose-locale.ts';
import { interruptSchemas } from '../../../protocol/schemas/interrupts.ts';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import { beginningOf } from '../../api/message-text.ts';
import { resultOfCall } from './page-tools.ts';
import type { AskedInterrupt, Resumed } from './protocol.ts';

/** The data that the server stores with an interrupt: the ids of the agent, and the part of the tool. */
interface StoredInterrupt {
  id: string;
  toolId?: string;
  toolName?: string;
  partId?: string;
  /** The state of the agent for its next request; with the first interrupt of a message. */
  kept?: unknown;
  /** The results of other calls of the same response; with the first interrupt of a message. */
  results?: Resumed[];
  page?: AskedInterrupt['page'];
}

/** Characters of a question. */
const maxMessage = 2_000;

/**
 * Returns the interrupt of the bot's answer. `partId`: the part of the tool, if it is shown. `kept`: data for the
 * agent's next request, and the results of other calls. The ids of agents can have any form.
 */
export function plainInterrupt(
  asked: AskedInterrupt,
  {
    partId,
    kept: agentState,
    unknownQuestion = unknownQuestionIn([]),
    now = Date.now(),
  }: {
    partId: string | undefined;
    kept: { state: unknown; results: Resumed[] } | undefined;
    unknownQuestion?: string | undefined;
    now?: number;
  },
): NewInterrupt {
  const { id, reason, message, toolId, toolName, input, responseSchema, expiresAt, page } = asked;
  const kept: StoredInterrupt = {
    id,
    ...(toolId === undefined ? {} : { toolId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(partId === undefined ? {} : { partId }),
    ...(agentState?.state === undefined ? {} : { kept: agentState.state }),
    ...(agentState && agentState.results.length > 0 ? { results: agentState.results } : {}),
    ...(page === undefined ? {} : { page }),
  };
  const schema = responseSchema && readResponseSchema(responseSchema);
  return {
    reason,
    message: beginningOf(message.trim() || (toolName ?? unknownQuestion), maxMessage),
    ...(toolName === undefined ? {} : { toolName }),
    ...(partId === undefined ? {} : { toolId: partId }),
    // The visitor approves only what can be seen. The agent keeps the input as it is.
    ...(input === undefined ? {} : { input: isObject(input) ? input : { input } }),
    ...(schema ? { responseSchema: schema } : {}),
    ...timeLeft(expiresAt, now),
    state: kept,
  };
}

/** The time that the agent waits, if it waits less than the server or says so. */
function timeLeft(expiresAt: string | undefined, now: number): { expiresIn?: number } {
  const left = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt) - now;
  const { minTime, maxTime } = limits.interrupts;
  return Number.isNaN(left) ? {} : { expiresIn: Math.round(Math.min(Math.max(left, minTime), maxTime)) };
}

/**
 * The data that the agent keeps while its questions were not answered: the visitor wrote a message instead, or nobody answered.
 * Undefined if the page or the visitor has answered one, and for agents that keep none.
 */
export const unansweredState = ({ payload }: ResumeEvent): unknown =>
  payload.interrupts
    .map(({ state }) => (state as Partial<StoredInterrupt> | undefined)?.kept)
    .find((kept) => kept !== undefined);

/** The answers of the visitor, the parts of the tools, and the data for the agent's next request. */
export interface Answers {
  resume: Resumed[];
  /** By the ids of the agent. */
  parts: Map<string, string>;
  state: unknown;
  /** The number of calls of the page in this turn. */
  round: number;
}

/** Returns undefined if nothing was answered: the visitor sent another message, or has left. */
export function answersOf({ payload }: ResumeEvent): Answers | undefined {
  let state: unknown;
  const others: Resumed[] = [];
  const parts = new Map<string, string>();
  let round = 0;
  let goesOn = false;
  const resume = payload.interrupts.flatMap((settled): Resumed[] => {
    const { status, payload: answer, state: own } = settled;
    const {
      id,
      toolId,
      toolName,
      partId,
      kept,
      results = [],
      page,
    } = (own ?? {}) as Partial<StoredInterrupt>;
    if (id === undefined) return [];
    state ??= kept;
    others.push(...results);
    if (page) {
      const answered = resultOfCall({ id, toolName, ...page }, settled);
      round = Math.max(round, page.round);
      goesOn ||= answered.goesOn;
      // The server has changed the part of the tool with the answer of the page.
      return [answered.resumed];
    }
    goesOn ||= status === 'resolved';
    if (toolId !== undefined && partId !== undefined) parts.set(toolId, partId);
    return [
      {
        interruptId: id,
        status,
        ...(toolId === undefined ? {} : { toolId }),
        ...(toolName === undefined ? {} : { toolName }),
        ...(answer === undefined ? {} : { payload: answer }),
      },
    ];
  });
  return goesOn ? { resume: [...resume, ...others], parts, state, round } : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Derives the form of an answer from the JSON Schema of an agent, which can have any content.

const formNames = ['type', 'title', 'description', 'properties', 'required'];
const propertyNames = [
  ...['type', 'title', 'description', 'default', 'format', 'minLength', 'maxLength', 'enum', 'oneOf'],
  ...['minimum', 'maximum', 'items', 'minItems', 'maxItems'],
];

/** The form that is used if the schema needs more than a form supports. */
const anyText: ResponseSchema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
};

/**
 * Returns the form; undefined for a plain approval, which has two buttons. Unsupported keywords of the schema are
 * ignored.
 */
export function readResponseSchema(schema: object): ResponseSchema | undefined {
  const { properties, ...form } = pick(schema, formNames);
  const given = Object.entries(isObject(properties) ? properties : {});
  const candidate = {
    ...form,
    properties: Object.fromEntries(given.map(([name, property]) => [name, readProperty(property)])),
  };
  const result = v.safeParse(interruptSchemas.responseSchema, candidate);
  if (!result.success) return anyText;
  const isApproval =
    given.length === 1 &&
    (result.output.properties.approved as ResponseProperty | undefined)?.type === 'boolean';
  return isApproval ? undefined : result.output;
}

function readProperty(property: unknown): unknown {
  if (!isObject(property)) return property;
  const { format, ...fields } = pick(property, propertyNames);
  return stringFormats.some((known) => known === format) ? { ...fields, format } : fields;
}

const pick = (value: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

// The question that a visitor reads when an agent waits for an answer and does not say for what, in the languages of the window. What
// the agent has sent stands below it.

export const unknownQuestions = {
  ar: 'يطلب المساعد موافقتك ولا يذكر على ماذا. هذا كل ما أرسله:',
  bn: 'সহকারী আপনার অনুমোদন চাইছে, কিন্তু কিসের জন্য তা জানায়নি। এটি যা পাঠিয়েছে তার সব এখানে:',
  cs: 'Asistent žádá o váš souhlas a neuvádí s čím. Toto je vše, co poslal:',
  da: 'Assistenten beder om din godkendelse uden at sige af hvad. Dette er alt, hvad den har sendt:',
  de: 'Der Assistent bittet um Ihre Zustimmung und sagt nicht, wozu. Das ist alles, was er gesendet hat:',
  el: 'Ο βοηθός ζητά την έγκρισή σας χωρίς να λέει για τι. Αυτά είναι όλα όσα έστειλε:',
  en: 'The assistant asks for your approval and does not say for what. This is all that it sent:',
  es: 'El asistente pide su aprobación y no dice para qué. Esto es todo lo que ha enviado:',
  fa: 'دستیار تأیید شما را می‌خواهد و نمی‌گوید برای چه. این همهٔ چیزی است که فرستاده است:',
  fi: 'Avustaja pyytää hyväksyntääsi eikä kerro mihin. Tässä on kaikki, mitä se lähetti:',
  fr: 'L’assistant demande votre accord sans dire pour quoi. Voici tout ce qu’il a envoyé :',
  he: 'העוזר מבקש את אישורך ואינו אומר למה. זה כל מה שהוא שלח:',
  hi: 'सहायक आपकी स्वीकृति माँगता है और यह नहीं बताता कि किसके लिए। उसने जो भेजा है वह सब यह है:',
  hu: 'Az asszisztens a jóváhagyását kéri, és nem mondja meg, mihez. Ez minden, amit küldött:',
  id: 'Asisten meminta persetujuan Anda tanpa menyebutkan untuk apa. Ini semua yang dikirimnya:',
  it: 'L’assistente chiede la sua approvazione e non dice per che cosa. Questo è tutto ciò che ha inviato:',
  ja: 'アシスタントが承認を求めていますが、内容を示していません。送られてきたものは以下がすべてです：',
  ko: '어시스턴트가 승인을 요청하지만 무엇에 대한 것인지 밝히지 않았습니다. 보낸 내용은 다음이 전부입니다:',
  nb: 'Assistenten ber om din godkjenning og sier ikke for hva. Dette er alt den har sendt:',
  nl: 'De assistent vraagt om uw goedkeuring en zegt niet waarvoor. Dit is alles wat is verzonden:',
  pl: 'Asystent prosi o zgodę i nie mówi, na co. To wszystko, co przesłał:',
  pt: 'O assistente pede a sua aprovação e não diz para quê. Isto é tudo o que ele enviou:',
  'pt-PT': 'O assistente pede a sua aprovação e não diz para quê. Isto é tudo o que enviou:',
  ro: 'Asistentul vă cere aprobarea și nu spune pentru ce. Acesta este tot ce a trimis:',
  ru: 'Ассистент просит вашего согласия и не сообщает, на что. Вот всё, что он прислал:',
  sv: 'Assistenten ber om ditt godkännande utan att säga till vad. Detta är allt som den har skickat:',
  th: 'ผู้ช่วยขอการอนุมัติจากคุณโดยไม่บอกว่าเพื่ออะไร นี่คือทั้งหมดที่ส่งมา:',
  tr: 'Asistan onayınızı istiyor ve ne için olduğunu söylemiyor. Gönderdiklerinin tamamı budur:',
  uk: 'Асистент просить вашої згоди й не повідомляє, на що. Ось усе, що він надіслав:',
  vi: 'Trợ lý yêu cầu bạn chấp thuận mà không nói để làm gì. Đây là tất cả những gì đã được gửi:',
  zh: '助手请求您的批准，但没有说明用途。以下是它发送的全部内容：',
  'zh-Hant': '助理請求您的核准，但沒有說明用途。以下是它傳送的全部內容：',
};

/** Returns the question in the first of these languages (BCP 47 tags) that has a text, otherwise in English. */
export function unknownQuestionIn(languages: readonly (string | undefined)[]): string {
  const { name } = chooseLocale(Object.keys(unknownQuestions), languages);
  return unknownQuestions[name as keyof typeof unknownQuestions];
}
