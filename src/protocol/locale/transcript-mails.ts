// Texts of mails with the transcript of a conversation, in addition to those of all mails to visitors.

type Row = [subject: string, intro: string, link: string, you: string, newest: string];

const rows: Record<string, Row> = {
  en: [
    'Your conversation on {site}',
    'This is your conversation on {site}:',
    'With this link you open your conversation on {site}. It also confirms your address, so that the conversation can be sent to it.',
    'You',
    'Only the newest messages are in this mail.',
  ],
  ar: [
    'محادثتك على {site}',
    'هذه محادثتك على {site}:',
    'بهذا الرابط تفتح محادثتك على {site}. وهو يؤكد عنوانك أيضًا ليمكن إرسال المحادثة إليه.',
    'أنت',
    'تتضمن هذه الرسالة أحدث الرسائل فقط.',
  ],
  bn: [
    '{site}-এ আপনার কথোপকথন',
    '{site}-এ আপনার কথোপকথন:',
    'এই লিঙ্কে {site}-এ আপনার কথোপকথন খোলে। এতে আপনার ঠিকানাও নিশ্চিত হয়, যাতে কথোপকথনটি সেখানে পাঠানো যায়।',
    'আপনি',
    'এই ইমেলে শুধু সবচেয়ে নতুন বার্তাগুলো আছে।',
  ],
  cs: [
    'Vaše konverzace na {site}',
    'Toto je vaše konverzace na {site}:',
    'Tímto odkazem otevřete svou konverzaci na {site}. Zároveň potvrdí vaši adresu, aby na ni bylo možné konverzaci poslat.',
    'Vy',
    'V tomto e-mailu jsou jen nejnovější zprávy.',
  ],
  da: [
    'Din samtale på {site}',
    'Her er din samtale på {site}:',
    'Med dette link åbner du din samtale på {site}. Det bekræfter også din adresse, så samtalen kan sendes til den.',
    'Du',
    'Denne mail indeholder kun de nyeste beskeder.',
  ],
  de: [
    'Ihre Unterhaltung auf {site}',
    'Dies ist Ihre Unterhaltung auf {site}:',
    'Mit diesem Link öffnen Sie Ihre Unterhaltung auf {site}. Er bestätigt auch Ihre Adresse, damit die Unterhaltung dorthin gesendet werden kann.',
    'Sie',
    'Diese E-Mail enthält nur die neuesten Nachrichten.',
  ],
  el: [
    'Η συνομιλία σας στο {site}',
    'Αυτή είναι η συνομιλία σας στο {site}:',
    'Με αυτόν τον σύνδεσμο ανοίγετε τη συνομιλία σας στο {site}. Επιβεβαιώνει και τη διεύθυνσή σας, ώστε να μπορεί να σταλεί εκεί η συνομιλία.',
    'Εσείς',
    'Το μήνυμα περιέχει μόνο τα νεότερα μηνύματα.',
  ],
  es: [
    'Su conversación en {site}',
    'Esta es su conversación en {site}:',
    'Con este enlace abre su conversación en {site}. También confirma su dirección, para que se le pueda enviar la conversación.',
    'Usted',
    'Este correo solo contiene los mensajes más recientes.',
  ],
  fa: [
    'گفتگوی شما در {site}',
    'این گفتگوی شما در {site} است:',
    'با این پیوند گفتگوی خود را در {site} باز می‌کنید. نشانی شما هم تأیید می‌شود تا گفتگو را بتوان به آن فرستاد.',
    'شما',
    'این ایمیل فقط تازه‌ترین پیام‌ها را دارد.',
  ],
  fi: [
    'Keskustelusi sivustolla {site}',
    'Tämä on keskustelusi sivustolla {site}:',
    'Tällä linkillä avaat keskustelusi sivustolla {site}. Se myös vahvistaa osoitteesi, jotta keskustelu voidaan lähettää siihen.',
    'Sinä',
    'Tässä viestissä on vain uusimmat viestit.',
  ],
  fr: [
    'Votre conversation sur {site}',
    'Voici votre conversation sur {site} :',
    'Ce lien ouvre votre conversation sur {site}. Il confirme aussi votre adresse, afin que la conversation puisse y être envoyée.',
    'Vous',
    'Cet e-mail ne contient que les messages les plus récents.',
  ],
  he: [
    'השיחה שלך באתר {site}',
    'זו השיחה שלך באתר {site}:',
    'הקישור הזה פותח את השיחה שלך באתר {site}. הוא גם מאשר את הכתובת, כדי שאפשר יהיה לשלוח אליה את השיחה.',
    'אני',
    'הודעה זו כוללת רק את ההודעות החדשות ביותר.',
  ],
  hi: [
    '{site} पर आपकी बातचीत',
    '{site} पर आपकी बातचीत:',
    'इस लिंक से {site} पर आपकी बातचीत खुलती है। इससे आपका पता भी पुष्ट होता है, ताकि बातचीत वहाँ भेजी जा सके।',
    'आप',
    'इस ईमेल में केवल सबसे नए संदेश हैं।',
  ],
  hu: [
    'Az Ön beszélgetése itt: {site}',
    'Az Ön beszélgetése itt: {site}',
    'Ezzel a linkkel megnyitja a beszélgetését itt: {site}. Egyúttal megerősíti a címét, hogy a beszélgetés oda elküldhető legyen.',
    'Ön',
    'Ez a levél csak a legújabb üzeneteket tartalmazza.',
  ],
  id: [
    'Percakapan Anda di {site}',
    'Ini percakapan Anda di {site}:',
    'Tautan ini membuka percakapan Anda di {site}. Tautan ini juga mengonfirmasi alamat Anda agar percakapan dapat dikirim ke sana.',
    'Anda',
    'Email ini hanya berisi pesan terbaru.',
  ],
  it: [
    'La Sua conversazione su {site}',
    'Questa è la Sua conversazione su {site}:',
    'Con questo link apre la Sua conversazione su {site}. Conferma anche il Suo indirizzo, così la conversazione può essere inviata lì.',
    'Lei',
    'Questa e-mail contiene solo i messaggi più recenti.',
  ],
  ja: [
    '{site} での会話',
    '{site} での会話です:',
    'このリンクで {site} での会話を開けます。アドレスの確認も行われ、会話をお送りできるようになります。',
    'あなた',
    'このメールには最新のメッセージだけが含まれています。',
  ],
  ko: [
    '{site}에서 나눈 대화',
    '{site}에서 나눈 대화입니다:',
    '이 링크로 {site}에서 나눈 대화를 열 수 있습니다. 주소도 확인되어 대화를 그 주소로 보낼 수 있습니다.',
    '나',
    '이 메일에는 최신 메시지만 있습니다.',
  ],
  nb: [
    'Samtalen din på {site}',
    'Her er samtalen din på {site}:',
    'Med denne lenken åpner du samtalen din på {site}. Den bekrefter også adressen din, slik at samtalen kan sendes dit.',
    'Du',
    'Denne e-posten inneholder bare de nyeste meldingene.',
  ],
  nl: [
    'Uw gesprek op {site}',
    'Dit is uw gesprek op {site}:',
    'Met deze link opent u uw gesprek op {site}. Hij bevestigt ook uw adres, zodat het gesprek daarheen kan worden gestuurd.',
    'U',
    'Deze e-mail bevat alleen de nieuwste berichten.',
  ],
  pl: [
    'Rozmowa w {site}',
    'Oto rozmowa w {site}:',
    'Ten link otwiera rozmowę w {site}. Potwierdza też adres, aby można było wysłać na niego rozmowę.',
    'Ty',
    'Ta wiadomość zawiera tylko najnowsze wpisy.',
  ],
  pt: [
    'Sua conversa em {site}',
    'Esta é a sua conversa em {site}:',
    'Este link abre sua conversa em {site}. Ele também confirma seu endereço, para que a conversa possa ser enviada a ele.',
    'Você',
    'Este e-mail contém apenas as mensagens mais recentes.',
  ],
  'pt-PT': [
    'A sua conversa em {site}',
    'Esta é a sua conversa em {site}:',
    'Esta ligação abre a sua conversa em {site}. Também confirma o seu endereço, para que a conversa lhe possa ser enviada.',
    'Eu',
    'Este e-mail contém apenas as mensagens mais recentes.',
  ],
  ro: [
    'Conversația dumneavoastră pe {site}',
    'Aceasta este conversația dumneavoastră pe {site}:',
    'Cu acest link deschideți conversația de pe {site}. El confirmă și adresa, pentru ca la ea să poată fi trimisă conversația.',
    'Dumneavoastră',
    'Acest e-mail conține doar cele mai noi mesaje.',
  ],
  ru: [
    'Ваша беседа на {site}',
    'Ваша беседа на {site}:',
    'По этой ссылке откроется ваша беседа на {site}. Она также подтверждает ваш адрес, чтобы беседу можно было на него отправить.',
    'Вы',
    'В этом письме только самые новые сообщения.',
  ],
  sv: [
    'Ditt samtal på {site}',
    'Här är ditt samtal på {site}:',
    'Med den här länken öppnar du ditt samtal på {site}. Den bekräftar också din adress, så att samtalet kan skickas dit.',
    'Du',
    'Det här mejlet innehåller bara de nyaste meddelandena.',
  ],
  th: [
    'การสนทนาของคุณที่ {site}',
    'นี่คือการสนทนาของคุณที่ {site}:',
    'ลิงก์นี้เปิดการสนทนาของคุณที่ {site} และยืนยันที่อยู่ของคุณ เพื่อให้ส่งการสนทนาไปยังที่อยู่นั้นได้',
    'คุณ',
    'อีเมลนี้มีเฉพาะข้อความล่าสุด',
  ],
  tr: [
    '{site} üzerindeki sohbetiniz',
    '{site} üzerindeki sohbetiniz:',
    'Bu bağlantı {site} üzerindeki sohbetinizi açar. Sohbetin gönderilebilmesi için adresinizi de doğrular.',
    'Siz',
    'Bu e-postada yalnızca en yeni mesajlar var.',
  ],
  uk: [
    'Ваша розмова на {site}',
    'Ваша розмова на {site}:',
    'За цим посиланням відкриється ваша розмова на {site}. Воно також підтверджує вашу адресу, щоб розмову можна було на неї надіслати.',
    'Ви',
    'У цьому листі лише найновіші повідомлення.',
  ],
  vi: [
    'Cuộc trò chuyện của bạn trên {site}',
    'Đây là cuộc trò chuyện của bạn trên {site}:',
    'Liên kết này mở cuộc trò chuyện của bạn trên {site}. Nó cũng xác nhận địa chỉ của bạn để có thể gửi cuộc trò chuyện đến đó.',
    'Bạn',
    'Email này chỉ có các tin nhắn mới nhất.',
  ],
  zh: [
    '您在 {site} 的对话',
    '这是您在 {site} 的对话：',
    '通过此链接可打开您在 {site} 的对话。它同时会确认您的地址，以便将对话发送到该地址。',
    '您',
    '此邮件仅包含最新的消息。',
  ],
  'zh-Hant': [
    '您在 {site} 的對話',
    '這是您在 {site} 的對話：',
    '透過此連結可開啟您在 {site} 的對話。它同時會確認您的地址，以便將對話寄到該地址。',
    '您',
    '此郵件僅包含最新的訊息。',
  ],
};

/** By the name of the language, as the texts of all mails to visitors are. */
export const transcriptTexts: Readonly<Record<string, TranscriptTexts>> = Object.fromEntries(
  Object.entries(rows).map(([name, [subject, intro, link, you, newest]]) => [
    name,
    { subject, intro, link, you, newest },
  ]),
);

/** `{site}`: the host of the server. */
export interface TranscriptTexts {
  subject: string;
  intro: string;
  /** Before the link that opens the conversation, in a mail to an address that is not confirmed. */
  link: string;
  /** The author of the visitor's own messages. */
  you: string;
  /** Above the messages, if the conversation has more. */
  newest: string;
}
