/**
 * A small knowledge base in many languages, and what people ask of it. The texts of a group share a
 * subject and many of their words, so that a question has to tell them apart; it can by the words
 * of its text, their forms and their spelling. None asks by synonyms alone or in another language,
 * which takes a model.
 */

/** A question and the one text that answers it, by its id. */
export type Question = { query: string; right: string; group: string }

type Group = { texts: Record<string, string>; queries: [query: string, right: string][] }

/** A language or a case; no query names a text that its group has not. */
const group = <Id extends string>(
  texts: Record<Id, string>,
  queries: [query: string, right: NoInfer<Id>][],
): Group => ({ texts, queries })

const groups: Record<string, Group> = {
  English: group(
    {
      'en-renewal':
        'A book is lent for four weeks. It can be renewed twice on request, unless another reader has reserved it in the meantime.',
      'en-fine': 'For each day that a book is late we charge twenty cents.',
      'en-reserved': 'Reserved books are kept at the desk for a week.',
      'en-lost':
        'Whoever loses a book brings a new copy of the same edition, or pays its price and five euros for our work.',
      'en-fasting':
        'Come with an empty stomach when we take blood, and drink only water. Tablets against high blood pressure are swallowed as on any other day.',
      'en-result': 'A blood test lasts five minutes; the result is ready on the next day.',
    },
    [
      ['how often can I renew the books that I borrowed?', 'en-renewal'],
      ['do I swallow my blood pressure tablet on the day of the test?', 'en-fasting'],
    ],
  ),

  'typing errors': group(
    {
      'typing-return':
        'Shoes that were not worn can be returned within thirty days, and the money goes back to the card you paid with.',
      'typing-exchange':
        'Shoes in the wrong size are exchanged free of charge as long as the other size is in stock.',
      'typing-warranty':
        'The warranty on appliances for the kitchen runs for three years and covers parts as well as work.',
      'typing-receipt': 'Without a receipt no kitchen appliance is taken back.',
      'typing-assembly':
        'Furniture is delivered to the kerb. For an extra charge our technicians assemble wardrobes and beds in your home.',
      'typing-dishwasher':
        'When the dishwasher leaves water standing, clean the filter first, then make sure that its hose is not kinked.',
      'typing-washing-machine':
        'When the washing machine shakes, level its feet and spread the laundry before the next spin.',
    },
    [
      ['how long is the waranty of a kitchen applaince', 'typing-warranty'],
      ['standing water in my dishwahser, clean the fliter?', 'typing-dishwasher'],
      ['home asembly of a wardorbe', 'typing-assembly'],
      ['can I exchage shose that are the wrong size', 'typing-exchange'],
    ],
  ),

  Chinese: group(
    {
      'zh-hours': '图书馆周一至周六上午九点开门，晚上八点关门，周日休息。',
      'zh-renewal': '借出的图书可以在网上续借一次，续借期为三十天，已有读者预约的除外。',
      'zh-card': '办理借书证要带身份证和照片。',
      'zh-lost-card':
        '遗失借书证的读者应立即到服务台挂失。三个工作日以后可以补办借书证，工本费十元。',
      'zh-study-room': '自习室的座位须提前一天通过手机预约，迟到三十分钟自动取消。',
      'zh-fine': '图书逾期不还，每册每天罚款一角，缴清之前不能再借新书。',
      'zh-registration': '门诊挂号时间为早上七点半到十一点，当天取消不退挂号费。',
      'zh-report': '化验结果一般在抽血两个小时以后出来，请凭就诊卡在自助机上打印报告。',
    },
    [
      ['借书证丢了，几个工作日能补办', 'zh-lost-card'],
      ['抽完血多久能打印化验报告', 'zh-report'],
      ['预约了自习座位迟到了会被取消吗', 'zh-study-room'],
      ['书逾期了一天要罚多少钱', 'zh-fine'],
    ],
  ),

  Japanese: group(
    {
      'ja-cancellation':
        'ご予約の取り消しは宿泊日の三日前まで無料です。前日の場合は料金の半額をいただきます。',
      'ja-check-in': 'チェックインは午後三時から、チェックアウトは午前十時までとなっております。',
      'ja-luggage':
        '大きなお荷物はフロントでお預かりいたします。チェックアウトの後も夕方六時までご利用になれます。',
      'ja-breakfast': '朝食は一階の食堂で、朝七時から九時半まで召し上がれます。',
      'ja-bath': '大浴場は夜十二時に閉まり、翌朝は五時から再びご利用になれます。',
      'ja-parking': '駐車場は三十台分ございます。ご予約は承っておらず、先着順となります。',
      'ja-shuttle': '駅からの送迎バスは一時間に一本で、前日までにお電話でのご予約が必要です。',
    },
    [
      ['チェックアウトしてから大きな荷物を預けたいのですが', 'ja-luggage'],
      ['何台まで駐車できますか、予約は要りますか', 'ja-parking'],
      ['朝は何時から大浴場に入れますか', 'ja-bath'],
    ],
  ),

  Thai: group(
    {
      'th-hours': 'ร้านเปิดทุกวันตั้งแต่สิบโมงเช้าถึงสามทุ่ม ยกเว้นวันหยุดนักขัตฤกษ์',
      'th-delivery': 'สั่งซื้อสินค้าครบห้าร้อยบาทจัดส่งฟรีทั่วประเทศ ใช้เวลาสองถึงสามวันทำการ',
      'th-return': 'สินค้าที่ชำรุดสามารถเปลี่ยนหรือคืนได้ภายในเจ็ดวันหลังได้รับ โดยต้องแสดงใบเสร็จ',
      'th-payment': 'ชำระเงินได้ด้วยบัตรเครดิต โอนผ่านธนาคาร หรือจ่ายปลายทางเมื่อได้รับสินค้า',
      'th-tax-invoice': 'หากต้องการใบกำกับภาษี กรุณาแจ้งชื่อและที่อยู่ก่อนชำระเงิน',
      'th-member': 'สมาชิกได้รับแต้มทุกครั้งที่ซื้อสินค้า แต้มสะสมใช้แลกส่วนลดได้ในเดือนเกิด',
    },
    [
      ['ได้รับสินค้าชำรุดอยากขอเปลี่ยน', 'th-return'],
      ['ขอใบกำกับภาษีหลังจากชำระเงินแล้วได้ไหม', 'th-tax-invoice'],
      ['ส่วนลดจากการสะสมแต้มใช้ได้เดือนไหน', 'th-member'],
    ],
  ),

  Arabic: group(
    {
      'ar-appointment':
        'يُحجز الموعد في العيادة بالهاتف أو عبر الموقع. ويمكن إلغاؤه من غير رسوم قبل أربع وعشرين ساعة.',
      'ar-children': 'عيادة الأطفال مفتوحة من الأحد إلى الخميس.',
      'ar-dentist': 'يحضر طبيب الأسنان إلى العيادة يومي الإثنين والأربعاء فقط، والمواعيد عنده محدودة.',
      'ar-vaccine': 'تُعطى لقاحات الأطفال مجانًا، ويجب إحضار دفتر التطعيم وشهادة الميلاد.',
      'ar-pharmacy': 'لا تصرف الصيدلية المضادات الحيوية إلا بوصفة طبية، وتبقى الوصفة صالحة مدة شهر.',
      'ar-results': 'تصل نتائج التحاليل الطبية إلى هاتف المريض في رسالة نصية خلال يومين.',
    },
    [
      ['كيف يمكنني إلغاء موعدي عند الطبيب في العيادة؟', 'ar-appointment'],
      ['هل لقاح الطفل مجاني؟', 'ar-vaccine'],
      ['كم شهرا تكون الوصفات الطبية صالحة', 'ar-pharmacy'],
    ],
  ),

  Hindi: group(
    {
      'hi-account': 'बचत खाता खोलने के लिए आधार कार्ड, पैन कार्ड और दो तस्वीरें लाना ज़रूरी है।',
      'hi-lost-card': 'एटीएम कार्ड खो जाए तो तुरंत ग्राहक सेवा को फ़ोन करके उसे बंद करवाएँ।',
      'hi-loan': 'गृह ऋण पर साढ़े आठ प्रतिशत ब्याज लगता है और उसकी किस्तें बीस वर्षों में चुकाई जा सकती हैं।',
      'hi-cheque-book': 'नई चेकबुक माँगने के बाद सात दिनों में डाक से आपके घर पहुँच जाती है।',
      'hi-locker': 'लॉकर का किराया उसके आकार पर निर्भर करता है और हर साल अप्रैल में लिया जाता है।',
      'hi-hours': 'बैंक सुबह दस बजे खुलता है और शाम चार बजे बंद होता है; रविवार को बंद रहता है।',
    },
    [
      ['मेरा कार्ड खो गया है, उसे बंद कैसे करूँ?', 'hi-lost-card'],
      ['गृह ऋण की किस्त कितने वर्ष तक चुकानी होती है', 'hi-loan'],
      ['खाता खुलवाने के लिए कौन से कार्ड चाहिए', 'hi-account'],
    ],
  ),

  Russian: group(
    {
      'ru-readings':
        'Показания приборов принимаем до двадцать пятого числа. Передать данные счётчиков можно через личный кабинет или по телефону.',
      'ru-meter-check': 'Счётчик воды проверяют раз в шесть лет.',
      'ru-leak':
        'При протечке перекройте воду и вызовите аварийную службу, она работает круглосуточно.',
      'ru-furniture':
        'Бытовой мусор забирают каждый день. Старая мебель и другие крупные предметы вывозятся по субботам.',
      'ru-key':
        'Если утерян ключ от домофона, новый изготовят в управляющей компании за триста рублей.',
      'ru-pass': 'Утерянные проездные билеты не восстанавливаются, деньги за них не возвращаются.',
    },
    [
      ['потеряла ключи к домофону, где изготавливают новые', 'ru-key'],
      ['в какие дни вывозят крупную мебель', 'ru-furniture'],
      ['можно ли показание счётчика воды передавать по телефону', 'ru-readings'],
    ],
  ),

  'German compounds': group(
    {
      'de-bulky-waste': 'Sperrmüll wird zweimal im Jahr nach Anmeldung am Straßenrand abgeholt.',
      'de-paper': 'Altpapier gehört in die blaue Tonne, die alle vier Wochen geleert wird.',
      'de-residual-waste':
        'Die Restmülltonne wird jeden zweiten Montag geleert, an Feiertagen einen Tag später.',
      'de-glass':
        'Altglascontainer stehen an jedem Supermarkt. Benutzen dürfen Sie sie werktags zwischen sieben und zwanzig Uhr.',
      'de-certificate':
        'Meldebescheinigungen stellt das Bürgerbüro sofort aus; die Verwaltungsgebühr beträgt acht Euro.',
      'de-dog':
        'Die Hundesteuer beträgt neunzig Euro im Jahr, für jeden weiteren Hund das Doppelte.',
      'de-parking':
        'Ein Bewohnerparkausweis gilt ein Jahr lang und nur im eigenen Stadtviertel. Zugelassen sein muss das Auto auf den Antragsteller.',
      'de-identity-card': 'Ein Personalausweis ist zehn Jahre gültig.',
    },
    [
      ['Wie lange gilt der Ausweis zum Parken für Bewohner?', 'de-parking'],
      ['bis wann am Abend darf man den Container für Glas benutzen', 'de-glass'],
      ['Wann ist die nächste Papiertonnenleerung?', 'de-paper'],
      ['Gebühr für eine Bescheinigung der Meldebehörde', 'de-certificate'],
    ],
  ),

  Turkish: group(
    {
      'tr-enrolment':
        'Okul kayıtları temmuzda başlar. Kayıt sırasında kimlik ile ikametgâh belgesinin aslı istenir.',
      'tr-bus': 'Okul servisleri sabah yedi buçukta mahalleden kalkar, ücreti her ay ödenir.',
      'tr-absence': 'Devamsızlığı yirmi günü aşan öğrenciler için velileri okula çağrılır.',
      'tr-textbooks':
        'Ders kitaplarını devlet ücretsiz dağıtır, defterleri öğrenciler kendileri alır.',
      'tr-library': 'Kütüphaneden alınan kitaplar on beş gün içinde iade edilmelidir.',
      'tr-grant':
        'Burs başvurularının sonuçları kasım ayının ilk haftasında okulun panosunda duyurulur.',
    },
    [
      ['kütüphanenin kitabını kaç günde iade etmeliyim', 'tr-library'],
      ['bursa başvurdum, sonucu ne zaman duyuracaksınız', 'tr-grant'],
      ['OKULA KAYIT İÇİN HANGİ BELGELER İSTENİYOR', 'tr-enrolment'],
    ],
  ),

  Korean: group(
    {
      'ko-pause':
        '회원권은 최대 두 달까지 정지할 수 있습니다. 정지를 원하시면 데스크에 신청서를 내 주세요.',
      'ko-refund': '회원권을 환불하시려면 신청서와 영수증이 필요합니다.',
      'ko-locker': '개인 사물함은 한 달에 오천 원이며, 열쇠를 잃어버리면 만 원을 내야 합니다.',
      'ko-pool': '수영장은 매주 월요일에 물을 갈기 때문에 오후 두 시부터 이용할 수 있습니다.',
      'ko-yoga': '요가 수업은 정원이 열다섯 명이므로 하루 전까지 앱으로 예약해 주세요.',
      'ko-towel': '수건과 운동복은 무료로 빌려 드리지만 운동화는 직접 가져오셔야 합니다.',
    },
    [
      ['헬스장 회원권의 정지를 신청하고 싶어요', 'ko-pause'],
      ['운동화도 빌릴 수 있습니까', 'ko-towel'],
    ],
  ),

  French: group(
    {
      'fr-exchange':
        "Les billets achetés en ligne ne sont pas nominatifs. Ils restent échangeables sans frais jusqu'à la veille du départ.",
      'fr-delay':
        "Si le train a plus d'une heure de retard, un quart du prix est remboursé sur demande.",
      'fr-ticket': 'Le billet de train se composte.',
      'fr-bicycle':
        'Les vélos voyagent gratuitement dans les trains régionaux, dans la limite des places disponibles.',
      'fr-dog':
        "Un chien de grande taille paie la moitié du prix d'un billet et porte une muselière ; les petits voyagent dans un sac.",
    },
    [
      ['échanger un billet de train acheté en ligne', 'fr-exchange'],
      ['prix du billet de train pour un grand chien', 'fr-dog'],
    ],
  ),

  Spanish: group(
    {
      'es-group':
        'Aceptamos grupos de hasta treinta personas. Sus reservas se confirman por correo con dos días de antelación.',
      'es-terrace': 'En la terraza no se puede reservar mesa.',
      'es-menu':
        'El menú del día se sirve de lunes a viernes e incluye el pan, una bebida y el postre.',
      'es-allergy':
        'Avise al camarero si es alérgico a algún alimento; hay panes sin gluten y leche sin lactosa.',
      'es-children': 'Los niños menores de cuatro años comen gratis los domingos.',
    },
    [
      ['¿se puede confirmar la reserva de un grupo el mismo día?', 'es-group'],
      ['mi hija es alérgica al gluten, ¿tienen pan?', 'es-allergy'],
    ],
  ),

  Vietnamese: group(
    {
      'vi-deposit':
        'Tiền đặt cọc bằng hai tháng tiền nhà, chủ nhà hoàn trả khi hợp đồng kết thúc, sau khi trừ các khoản hư hỏng.',
      'vi-rent': 'Tiền nhà phải trả trước ngày mùng năm hằng tháng bằng chuyển khoản.',
      'vi-electricity': 'Chủ nhà trả tiền điện hành lang.',
      'vi-guest': 'Khách ở lại qua đêm phải đăng ký với bảo vệ trước mười giờ tối.',
      'vi-motorbike':
        'Mỗi phòng được gửi miễn phí một xe máy dưới tầng hầm, từ xe thứ hai phải trả thêm tiền.',
    },
    [
      ['khi nào chủ nhà trả lại tiền cọc', 'vi-deposit'],
      ['gui xe may thu hai co phai tra tien khong', 'vi-motorbike'],
    ],
  ),

  Greek: group(
    {
      'el-hours': 'Το μουσείο ανοίγει στις εννέα.',
      'el-ticket': 'Το εισιτήριο για το μουσείο κοστίζει δέκα ευρώ, οι φοιτητές πληρώνουν τα μισά.',
      'el-photographs':
        'Οι τσάντες μένουν στην είσοδο. Φωτογραφίες επιτρέπονται σε όλες τις αίθουσες, αρκεί να μην ανάβει το φλας.',
      'el-tour': 'Κάθε Σάββατο στις έντεκα γίνονται ξεναγήσεις στα αγγλικά, χωρίς κράτηση.',
      'el-cafe': 'Το καφενείο του μουσείου σερβίρει πρωινό ως τις δώδεκα.',
    },
    [
      ['επιτρέπεται να φωτογραφίσω μέσα στο μουσείο;', 'el-photographs'],
      ['ΞΕΝΑΓΗΣΗ ΣΤΟ ΜΟΥΣΕΙΟ ΣΤΑ ΑΓΓΛΙΚΑ', 'el-tour'],
    ],
  ),

  'code identifiers': group(
    {
      'code-parse-date':
        '`parse_iso_date(text)` returns a day in UTC and raises `ValueError` when the month is missing.',
      'code-format-date': '`format_iso_date(day, zone)` writes a date as text.',
      'code-get-user':
        '`getUserById` looks into the cache first and asks the database for an id that it does not find there.',
      'code-get-users':
        '`getUsersByGroup` reads the users of a group from the database, page by page.',
      'code-end-session': '`endUserSession` signs a user out on each device of the user.',
      'code-proxy-timeout':
        'The variable `HTTP_PROXY_TIMEOUT` limits the seconds that an upstream may take to answer; a slower one is cut off with status 504.',
      'code-retries': '`MAX_RETRIES` says how often a request is sent after a timeout.',
      'code-nginx':
        '`deploy/nginx.conf` forwards each request below /api to the service on port 8080.',
      'code-config': '`src/config/loader.ts` reads the environment variables of the service once.',
    },
    [
      ['parseIsoDate', 'code-parse-date'],
      ['get user by id from cache', 'code-get-user'],
      ['nginx config for the api port', 'code-nginx'],
      ['which variable sets the timeout of the proxy for a request', 'code-proxy-timeout'],
    ],
  ),

  'digits and symbols': group(
    {
      'symbols-seal':
        'The seal of the pump is part 7741-B; it fits pumps that were built before 2015.',
      'symbols-valve': 'The valve is part 7714-B.',
      'symbols-fuser': 'E-1047: the fuser of the printer is too hot; let it cool for ten minutes.',
      'symbols-tray': 'E-1074: the paper tray is empty, or it is not pushed in as far as it goes.',
      'symbols-c-plus-plus':
        'The C++ plugin is built with CMake, and the C library with plain make.',
      'symbols-c-sharp': 'The C# package is published for .NET with each release.',
      'symbols-music': '§ 12 of the house rules: no music after ten at night, nor between 1 and 3.',
      'symbols-bicycles': '§ 21 of the house rules: bicycles stay in the cellar.',
    },
    [
      ['7741-B', 'symbols-seal'],
      ['E-1074', 'symbols-tray'],
      ['C++', 'symbols-c-plus-plus'],
      ['§ 12', 'symbols-music'],
    ],
  ),
}

/** All texts by their ids. */
export const texts: Record<string, string> = Object.assign(
  {},
  ...Object.values(groups).map((each) => each.texts),
)

export const questions: Question[] = Object.entries(groups).flatMap(([name, { queries }]) =>
  queries.map(([query, right]) => ({ query, right, group: name })),
)

/** Queries that say nothing of what is looked for: stop words, digits or symbols alone. */
export const emptyQueries = [
  'the of and',
  'what is it about?',
  'и в на с',
  'und der die',
  '的',
  'です',
  'और का',
  'من في على',
  '42',
  '2031-11-05',
  '??!',
  '§',
  '→ +++',
  '😀',
]
