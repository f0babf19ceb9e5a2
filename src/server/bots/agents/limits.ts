// The limits of runs, because each run costs the operator money: runs at a time, runs in an hour, and tokens in a day.

import { chooseLocale } from '../../../protocol/locale/choose-locale.ts';
import type { SlotCounts } from '../../limits/slot-counts.ts';
import { createSlots } from '../../limits/slots.ts';
import {
  type AgentPeriod,
  addAgentUsage,
  agentUsageOf,
  deleteAgentUsageBefore,
} from '../../storage/bots/agent-usage.ts';
import type { Database } from '../../storage/database.ts';
import type { AgentSettings } from './settings.ts';

/** Runs at a time: of one user, and of one bot. */
export interface AgentConcurrency {
  ofUser: number;
  ofBot: number;
}

const defaultConcurrency: AgentConcurrency = { ofUser: 3, ofBot: 50 };

/** The limit that a run would exceed. */
export type ExceededLimit = 'runs_of_user' | 'runs_of_bot' | 'runs_per_hour' | 'tokens_per_day';

export interface RunOwner {
  userId: string;
  botId: string;
}

export interface AgentRuns {
  /** Counts a run that begins. `release`: it has ended. */
  begin(owner: RunOwner): Promise<{ release(): void } | { exceeded: ExceededLimit }>;
  /** Whether a run that has used this number of tokens may use more. */
  mayContinue(botId: string, tokens: number): Promise<boolean>;
  /** Adds the tokens of a run. */
  addTokens(botId: string, tokens: number): Promise<void>;
}

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** Milliseconds between two deletions of old counts. */
const cleanupIntervalMs = 10 * 60_000;

/** `counts`: the slots of all processes, if there can be several. */
export function createAgentRuns({
  db,
  counts,
  now,
  settings: { AGENT_RUNS_PER_HOUR: runsPerHour, AGENT_TOKENS_PER_DAY: tokensPerDay },
  concurrency,
}: {
  settings: AgentSettings;
  db: Database;
  counts: SlotCounts | undefined;
  now(): number;
  concurrency?: Partial<AgentConcurrency> | undefined;
}): AgentRuns {
  const { ofUser, ofBot } = { ...defaultConcurrency, ...concurrency };
  const slots = createSlots(counts);
  let cleanedAt = 0;

  const periodOf = (id: string, length: number): AgentPeriod => {
    const period = Math.floor(now() / length);
    return { id, period, until: (period + 1) * length };
  };
  const tokensOf = (botId: string) => periodOf(`tokens ${botId}`, dayMs);

  /** Counts the run in its clock hour, unless the limit of the hour or of the day is reached. */
  async function count({ userId, botId }: RunOwner): Promise<ExceededLimit | undefined> {
    if (runsPerHour === 0 && tokensPerDay === 0) return undefined;
    const at = now();
    const isCleanup = at - cleanedAt >= cleanupIntervalMs;
    if (isCleanup) cleanedAt = at;
    return db.write(async (tx) => {
      if (isCleanup) await deleteAgentUsageBefore(tx, at);
      const tokens = tokensOf(botId);
      if (tokensPerDay > 0 && (await agentUsageOf(tx, tokens.id, tokens.period)) >= tokensPerDay)
        return 'tokens_per_day';
      if (runsPerHour === 0) return undefined;
      const isFree = await addAgentUsage(tx, periodOf(`runs ${userId}`, hourMs), 1, runsPerHour);
      return isFree ? undefined : 'runs_per_hour';
    });
  }

  return {
    async begin(owner) {
      const acquired = await slots.acquireExactly([
        { key: `agent runs of user ${owner.userId}`, max: ofUser, limit: 'runs_of_user' as const },
        { key: `agent runs of bot ${owner.botId}`, max: ofBot, limit: 'runs_of_bot' as const },
      ]);
      if ('full' in acquired) return { exceeded: acquired.full.limit };
      try {
        const exceeded = await count(owner);
        if (exceeded === undefined) return acquired;
        acquired.release();
        return { exceeded };
      } catch (error) {
        acquired.release();
        throw error;
      }
    },
    async mayContinue(botId, tokens) {
      if (tokensPerDay === 0) return true;
      const { id, period } = tokensOf(botId);
      return (await db.read((tx) => agentUsageOf(tx, id, period))) + tokens < tokensPerDay;
    },
    async addTokens(botId, tokens) {
      if (tokensPerDay === 0 || tokens === 0) return;
      await db.write((tx) => addAgentUsage(tx, tokensOf(botId), tokens));
    },
  };
}

// The text that a visitor reads when a limit of an agent is reached, in the languages of the window. The server
// translates it, because the window and other clients show the text of a message unchanged.

export const limitTexts = {
  ar: 'هناك عدد كبير جدًا من الطلبات الآن. يُرجى المحاولة مرة أخرى لاحقًا.',
  bn: 'এই মুহূর্তে অনেক বেশি অনুরোধ রয়েছে। অনুগ্রহ করে পরে আবার চেষ্টা করুন।',
  cs: 'Právě přichází příliš mnoho požadavků. Zkuste to prosím později.',
  da: 'Der er for mange forespørgsler lige nu. Prøv igen senere.',
  de: 'Im Moment gibt es zu viele Anfragen. Bitte versuchen Sie es später noch einmal.',
  el: 'Υπάρχουν πάρα πολλά αιτήματα αυτή τη στιγμή. Δοκιμάστε ξανά αργότερα.',
  en: 'There are too many requests now. Please try again later.',
  es: 'Hay demasiadas solicitudes en este momento. Inténtelo de nuevo más tarde.',
  fa: 'در حال حاضر تعداد درخواست‌ها بسیار زیاد است. لطفاً بعداً دوباره تلاش کنید.',
  fi: 'Pyyntöjä on nyt liikaa. Yritä myöhemmin uudelleen.',
  fr: 'Il y a trop de demandes en ce moment. Veuillez réessayer plus tard.',
  he: 'יש כרגע יותר מדי בקשות. נא לנסות שוב מאוחר יותר.',
  hi: 'अभी बहुत अधिक अनुरोध हैं। कृपया बाद में फिर से प्रयास करें।',
  hu: 'Jelenleg túl sok a kérés. Kérjük, próbálja újra később.',
  id: 'Saat ini terlalu banyak permintaan. Silakan coba lagi nanti.',
  it: 'In questo momento ci sono troppe richieste. Riprova più tardi.',
  ja: '現在リクエストが多すぎます。しばらくしてから再度お試しください。',
  ko: '지금 요청이 너무 많습니다. 나중에 다시 시도해 주세요.',
  nb: 'Det er for mange forespørsler akkurat nå. Prøv igjen senere.',
  nl: 'Er zijn op dit moment te veel aanvragen. Probeer het later opnieuw.',
  pl: 'W tej chwili jest zbyt wiele zapytań. Spróbuj ponownie później.',
  pt: 'Há solicitações demais no momento. Tente novamente mais tarde.',
  'pt-PT': 'Há demasiados pedidos neste momento. Tente novamente mais tarde.',
  ro: 'Sunt prea multe solicitări în acest moment. Încercați din nou mai târziu.',
  ru: 'Сейчас слишком много запросов. Попробуйте ещё раз позже.',
  sv: 'Det är för många förfrågningar just nu. Försök igen senare.',
  th: 'ขณะนี้มีคำขอมากเกินไป โปรดลองอีกครั้งในภายหลัง',
  tr: 'Şu anda çok fazla istek var. Lütfen daha sonra yeniden deneyin.',
  uk: 'Зараз надто багато запитів. Спробуйте ще раз пізніше.',
  vi: 'Hiện có quá nhiều yêu cầu. Vui lòng thử lại sau.',
  zh: '当前请求过多。请稍后再试。',
  'zh-Hant': '目前請求過多。請稍後再試。',
};

/** Returns the message in the first of these languages (BCP 47 tags) that has a text, otherwise in English. */
export function limitMessage(languages: readonly (string | undefined)[]): { type: 'text'; text: string } {
  const { name } = chooseLocale(Object.keys(limitTexts), languages);
  return { type: 'text', text: limitTexts[name as keyof typeof limitTexts] };
}
