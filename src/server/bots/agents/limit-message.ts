// The text that a visitor reads when a limit of an agent is reached, in the languages of the window. The server
// translates it, because the window and other clients show the text of a message unchanged.
import { chooseLocale } from '../../../protocol/locale/choose-locale.ts';

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
