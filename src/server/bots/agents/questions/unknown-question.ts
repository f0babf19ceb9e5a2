// The question that a visitor reads when an agent waits for an answer and does not say for what, in the languages of the window. What
// the agent has sent stands below it.
import { chooseLocale } from '../../../../protocol/locale/choose-locale.ts';

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
