import iconv from 'iconv-lite'

/** What people write, by language: a sentence, a table and some sentences. */
const texts = {
  pl: [
    'Dwa żółte rowery stoją pod ścianą, klucz leży na półce.',
    'Nazwa;Ilość;Miejsce\r\nśruby;12;Łódź\r\ngwoździe;40;Kraków\r\nfarba żółta;3;Gdańsk\r\n',
    'Biblioteka jest otwarta od dziewiątej do szóstej. W niedzielę jest zamknięta. Książki można wypożyczyć na cztery tygodnie, a potem należy je zwrócić albo przedłużyć wypożyczenie w okienku przy wejściu.',
  ],
  cs: [
    'Knihovna je otevřena od devíti hodin, v neděli je zavřeno.',
    'jméno;město;částka\r\nŘezník;Žďár;12\r\nČerný;Děčín;40\r\n',
    'Půjčovna kol otevírá každé ráno v osm hodin. Kolo si můžete půjčit na celý den, stačí předložit občanský průkaz a zaplatit zálohu. Večer je třeba kolo vrátit nejpozději v šest, jinak se účtuje příplatek.',
  ],
  hu: [
    'A könyvtár az őszi hétfőn kilenckor nyit, este hétkor zár.',
    'név;város;összeg\r\nkőműves;Győr;12\r\nűrlap;Pécs;40\r\nfűrész;Szeged;7\r\n',
    'A könyveket négy hétig lehet kikölcsönözni. Ha valaki később hozza vissza, minden napért húsz forintot fizet. A gyűjtemény régi térképeit csak az olvasóteremben lehet megnézni, előzetes időpontkéréssel.',
  ],
  ru: [
    'Библиотека открыта с девяти до шести, кроме воскресенья.',
    'sku;name;warehouse;price\r\nA-1;Насос;M1;1200\r\nA-2;Шланг;M2;300\r\nA-3;Клапан обратный;M1;90\r\n',
    'Книги выдаются на четыре недели. После этого срока их нужно вернуть или продлить у стойки при входе. За каждый день просрочки берётся плата, а старые карты можно смотреть только в читальном зале.',
  ],
  uk: [
    "Бібліотека відчинена з дев'ятої години, у неділю зачинено.",
    'назва;місто;ціна\r\nцвяхи;Київ;12\r\nїжак;Львів;40\r\nґанок;Одеса;3\r\n',
    'Книжки видають на чотири тижні. Після цього їх треба повернути або продовжити термін біля входу. За кожен день запізнення беруть плату, а старі мапи можна дивитися лише в читальній залі.',
  ],
  bg: [
    'Библиотеката е отворена от девет до шест без неделя.',
    'име;град;цена\r\nпирони;София;12\r\nчукове;Пловдив;40\r\nбоя;Варна;3\r\n',
    'Книгите се дават за четири седмици. След това трябва да се върнат или да се продължи срокът на гишето. За всеки ден закъснение се плаща такса, а старите карти се гледат само в читалнята.',
  ],
  de: [
    'Die Bücherei öffnet um neun und schließt früh am Sonntag.',
    'Straße;Größe;Menge\r\nHauptstraße;groß;12\r\nMühlweg;klein;3\r\nGärtnerei;größer;5\r\n',
    'Bücher dürfen vier Wochen behalten werden. Danach müssen sie zurückgegeben oder verlängert werden. Für jeden Tag später zahlt man zwanzig Cent, und alte Karten gibt es nur im Lesesaal zu sehen, während der Öffnungszeiten.',
  ],
  fr: [
    'La bibliothèque ouvre à neuf heures, fermée le dimanche d’été.',
    'ville;café;prix\r\nNîmes;crème;2,50 €\r\nBesançon;serré;1,90 €\r\nOrléans;allongé;2,10 €\r\n',
    'Les livres sont prêtés pour quatre semaines. Passé ce délai, il faut les rendre ou prolonger le prêt à l’entrée. Chaque jour de retard coûte vingt centimes, et les vieilles cartes ne se consultent qu’à la salle de lecture.',
  ],
  es: [
    'La biblioteca abre a las nueve y cierra los domingos de otoño; mañana también.',
    'año;ciudad;niños\r\n2019;Málaga;12\r\n2020;Cádiz;40\r\n2021;Logroño;7\r\n',
    'Los libros se prestan durante cuatro semanas. Después hay que devolverlos o prolongar el préstamo en el mostrador. Cada día de retraso cuesta veinte céntimos y los mapas antiguos sólo se ven en la sala de lectura, según el reglamento del señor Núñez.',
  ],
  el: [
    'Η βιβλιοθήκη ανοίγει στις εννέα και κλείνει την Κυριακή.',
    'όνομα;πόλη;τιμή\r\nκαρφιά;Αθήνα;12\r\nσφυρί;Πάτρα;40\r\nχρώμα;Χανιά;3\r\n',
    'Τα βιβλία δίνονται για τέσσερις εβδομάδες. Μετά πρέπει να επιστραφούν ή να παραταθεί ο δανεισμός στην είσοδο. Για κάθε ημέρα καθυστέρησης πληρώνεται ένα μικρό ποσό.',
  ],
  tr: [
    'Kütüphane sabah dokuzda açılır, pazar günü kapalıdır, giriş ücretsizdir.',
    'ad;şehir;ücret\r\nçivi;İstanbul;12\r\nçekiç;Muğla;40\r\nboya;Eskişehir;3\r\n',
    'Kitaplar dört hafta için ödünç verilir. Ondan sonra geri getirilmesi ya da girişteki masada sürenin uzatılması gerekir. Geciken her gün için küçük bir ücret alınır, eski haritalara yalnız okuma salonunda bakılabilir.',
  ],
  he: [
    'הספרייה נפתחת בתשע בבוקר ונסגרת בשש, חוץ מיום שבת.',
    'שם;עיר;מחיר\r\nמסמר;חיפה;12\r\nפטיש;אילת;40\r\nצבע;תל אביב;3\r\n',
    'אפשר לשאול ספרים לארבעה שבועות. אחר כך צריך להחזיר אותם או להאריך את ההשאלה בדלפק הכניסה. על כל יום איחור משלמים סכום קטן, ואת המפות הישנות רואים רק באולם הקריאה.',
  ],
  ar: [
    'تفتح المكتبة في الساعة التاسعة وتغلق يوم الجمعة.',
    'الاسم;المدينة;السعر\r\nمسمار;القاهرة;12\r\nمطرقة;بيروت;40\r\nطلاء;عمان;3\r\n',
    'تعار الكتب لمدة أربعة أسابيع. بعد ذلك يجب إعادتها أو تمديد الإعارة عند المدخل. يدفع القارئ مبلغا صغيرا عن كل يوم تأخير، ولا ترى الخرائط القديمة إلا في قاعة القراءة.',
  ],
  lt: [
    'Biblioteka atidaroma devintą valandą, sekmadienį ji uždaryta, įėjimas nemokamas.',
    'vardas;miestas;kaina\r\nvinys;Šiauliai;12\r\nplaktukas;Panevėžys;40\r\ndažai;Alytūs;3\r\n',
    'Knygos išduodamos keturioms savaitėms. Po to jas reikia grąžinti arba pratęsti laiką prie įėjimo. Už kiekvieną pavėluotą dieną mokamas mokestis, o senus žemėlapius galima žiūrėti tik skaitykloje.',
  ],
  ja: [
    '図書館は朝九時に開きます。日曜日はお休みです。',
    '品名,数量,場所\r\nりんご,12,東京\r\nみかん,40,大阪\r\nペンキ,3,名古屋\r\n',
    '本は四週間借りることができます。その後は返すか、入口の受付で期間を延ばしてください。遅れた日ごとに料金がかかります。古い地図は閲覧室でだけ見ることができます。',
  ],
  zh: [
    '图书馆早上九点开门,星期天不开。',
    '品名,数量,城市\r\n苹果,12,北京\r\n香蕉,40,上海\r\n油漆,3,广州\r\n',
    '图书可以借四个星期。之后需要归还,或者在入口的服务台办理续借。每迟一天要付一点费用,旧地图只能在阅览室里看。',
  ],
  zht: [
    '圖書館早上九點開門,星期日休息。',
    '品名,數量,城市\r\n蘋果,12,臺北\r\n香蕉,40,高雄\r\n油漆,3,臺南\r\n',
    '圖書可以借四個星期。之後需要歸還,或者在入口的服務臺辦理續借。每遲一天要付一點費用,舊地圖只能在閱覽室裡看。',
  ],
  ko: [
    '도서관은 아침 아홉 시에 열고 일요일에는 쉽니다.',
    '이름,수량,도시\r\n사과,12,서울\r\n바나나,40,부산\r\n페인트,3,대구\r\n',
    '책은 사 주 동안 빌릴 수 있습니다. 그 뒤에는 돌려주거나 입구 창구에서 기간을 늘려야 합니다. 늦은 날마다 요금을 내며, 옛 지도는 열람실에서만 볼 수 있습니다.',
  ],
  th: [
    'ห้องสมุดเปิดเก้าโมงเช้าและปิดวันอาทิตย์',
    'ชื่อ,จำนวน,เมือง\r\nตะปู,12,กรุงเทพ\r\nค้อน,40,เชียงใหม่\r\nสี,3,ภูเก็ต\r\n',
    'หนังสือยืมได้สี่สัปดาห์ หลังจากนั้นต้องคืนหรือต่ออายุที่เคาน์เตอร์ทางเข้า ทุกวันที่ช้าจะเสียค่าปรับเล็กน้อย แผนที่เก่าดูได้ในห้องอ่านเท่านั้น',
  ],
  hr: [
    'Knjižnica se otvara u devet sati, nedjeljom je zatvorena, ključ čuva vratar.',
    'ime;grad;cijena\r\nčavao;Šibenik;12\r\nčekić;Čakovec;40\r\nžbuka;Đakovo;3\r\n',
    'Knjige se posuđuju na četiri tjedna. Nakon toga treba ih vratiti ili produžiti posudbu na šalteru kod ulaza. Za svaki dan zakašnjenja plaća se naknada, a stare karte gledaju se samo u čitaonici.',
  ],
}

type Language = keyof typeof texts

/** The names are those of `iconv-lite`. */
const languages: Record<string, Language[]> = {
  'windows-1250': ['pl', 'cs', 'hu', 'hr'],
  'iso-8859-2': ['pl', 'cs', 'hu', 'hr'],
  'windows-1251': ['ru', 'uk', 'bg'],
  'koi8-r': ['ru'],
  'koi8-u': ['uk'],
  cp866: ['ru'],
  'iso-8859-5': ['ru', 'bg'],
  maccyrillic: ['ru'],
  'windows-1252': ['de', 'fr', 'es'],
  'iso-8859-15': ['de', 'es'],
  'windows-1253': ['el'],
  'iso-8859-7': ['el'],
  'windows-1254': ['tr'],
  'windows-1255': ['he'],
  'windows-1256': ['ar'],
  'windows-1257': ['lt'],
  shift_jis: ['ja'],
  'euc-jp': ['ja'],
  gbk: ['zh'],
  big5: ['zht'],
  'euc-kr': ['ko'],
  cp874: ['th'],
  'utf-16le': ['de', 'ru', 'zh'],
  'utf-16be': ['de', 'ru', 'ja'],
  cp852: ['pl', 'cs'],
  cp437: ['de'],
  macroman: ['de', 'fr'],
}

/** Characters that an older encoding lacks. */
const lacking: Record<string, string> = { '€': 'EUR', '’': "'", ё: 'е' }

/** Each text of each language in each encoding that has its characters. */
export const samples = Object.entries(languages).flatMap(([encoding, spoken]) =>
  spoken.flatMap((language) =>
    texts[language].map((text) => {
      const isWhole = iconv.decode(iconv.encode(text, encoding), encoding) === text
      const written = isWhole ? text : text.replaceAll(/[€’ё]/g, (sign) => lacking[sign]!)
      return { encoding, language, text: written, bytes: iconv.encode(written, encoding) }
    }),
  ),
)
