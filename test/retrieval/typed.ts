/**
 * What people type, and the text that they mean: the same words in other letters, joined or in parts,
 * with or without their marks. Each group is a datastore of its own, with much else in it.
 */

/** A text may be meant by a query; the others of its group are rivals that share words with it. */
export type TypedGroup = { texts: string[]; queries: [query: string, meant: string][] }

/** The texts of `meant`, and what is asked for each, beside texts that are not to come first. */
function group(meant: Record<string, string[]>, rivals: string[] = []): TypedGroup {
  const queries = Object.entries(meant).flatMap(([text, asked]) =>
    asked.map((query): [string, string] => [query, text]),
  )
  return { texts: [...Object.keys(meant), ...rivals], queries }
}

export const typedGroups: Record<string, TypedGroup> = {
  'letters with marks, and letters that stand for them': group({
    'Die Größe der Pakete ist begrenzt.': ['Groesse', 'GRÖSSE', 'Grosse'],
    'Die Straße ist gesperrt.': ['STRASSE', 'strasse', 'STRAẞE'],
    'Der Fuß schmerzt seit gestern.': ['FUSS', 'fuss'],
    'Über die Brücke fahren nur Räder.': ['bruecke', 'Brucke', 'raeder'],
    'Our warehouse is in Łódź.': ['Lodz', 'łódź', 'LODZ'],
    'Zdejmij powłoki przed montażem.': ['powloki', 'montazem'],
    'Ask for Bjørn at the counter.': ['Bjorn', 'bjoern', 'BJØRN'],
    'Đak ide u školu.': ['Dak', 'skolu'],
    'Lítil eðla sat á steini.': ['edla', 'steini litil'],
    'Þórður býr hér.': ['Thordur'],
    'Le cœur bat plus vite.': ['coeur', 'cœur'],
    'Il-ħobż huwa frisk.': ['hobz'],
    'İstanbul ışıkları parlıyor.': ['istanbul', 'isiklari', 'ISTANBUL'],
    'Đặt phòng khách sạn ở Đà Nẵng.': ['khach san', 'Da Nang'],
    'Kõrvits küpseb sügisel.': ['korvits', 'sugisel'],
    'Αγοράζουμε βιβλία στην Αθήνα.': ['ΑΘΗΝΑ', 'αθηνα', 'ΒΙΒΛΙΑ'],
    'Ο δρόμος είναι κλειστός.': ['ΔΡΟΜΟΣ', 'δρομος'],
    'Счёт за мёд оплачен.': ['счет', 'мед'],
    'Пароль учётной записи меняют раз в год.': ['учетной', 'УЧЁТНОЙ'],
    'Ёлка стоит у окна.': ['елка'],
    'תפילת שָׁלוֹם עֲלֵיכֶם נאמרת בערב.': ['שלום עליכם'],
    'בְּרֵאשִׁית בָּרָא אֱלֹהִים': ['בראשית'],
    'אנשי צה״ל באו.': ['צהל', 'צה"ל'],
    'اسم المدير محـــمد.': ['محمد'],
    'وصلت آمنة إلى المدينة.': ['امنه', 'الى المدينه'],
    'ذهب أحمد إلى السوق': ['احمد', 'اسواق احمد'],
    'قرأتُ الكِتَابَ أمسِ': ['الكتاب امس'],
    'علی کیانی استاد دانشگاه است': ['علي كياني', 'كياني'],
    'می‌خواهم بلیط بخرم': ['میخواهم', 'می خواهم'],
    'हिन्दी भाषा का व्याकरण': ['हिंदी', 'हिंदी व्याकरण'],
    'ज़रूरत पड़ने पर फ़ोन करें': ['जरूरत', 'फोन'],
  }),

  'kana and Chinese characters of either kind': group({
    'パスワードを忘れたときは受付へ。': ['ぱすわーど', 'ﾊﾟｽﾜｰﾄﾞ'],
    'サーバーは毎晩再起動します。': ['サーバ', 'さーばー'],
    'ユーザー登録は無料です。': ['ユーザ登録', 'ゆーざー'],
    'ウィスキーは二階にあります。': ['ウイスキー'],
    '圖書館週一至週六開門。': ['图书馆', '图书馆开门'],
    '软件许可证每年更新。': ['軟件許可證', '許可證更新'],
    '門診掛號從早上七點開始。': ['门诊挂号'],
  }),

  'digits of every script': group({
    'رقم الطلب ٤٥٦٧٨ جاهز.': ['45678'],
    'سال ۱۴۰۳ آغاز شد.': ['1403'],
    'क्रमांक २०२४ देखें।': ['2024'],
    'ใบสั่งซื้อเลขที่ ๙๘๗๖๕ พร้อมแล้ว': ['98765'],
    'বিল নম্বর ৩৪৫৬৭ পরিশোধিত': ['34567'],
    'Room ８０４ is free.': ['804', '８０４'],
    'The desk 71233 is taken.': ['٧١٢٣٣', '७१२३३'],
  }),

  'joined and in parts': group(
    {
      'The Wi-Fi code of the guest network hangs at the desk.': [
        'wifi code',
        'wi fi code',
        'WiFi code',
        'WI-FI',
      ],
      'Parcels to the U.S.A. take nine days.': ['USA delivery', 'parcels USA', 'u s a'],
      'The IBM machine is in the cellar.': ['I.B.M.', 'i.b.m. machine'],
      'New email address? Tell the office.': [
        'How can I change my e-mail?',
        'E-Mail address',
        'e mail',
      ],
      'Set getUserName before the call.': [
        'get user name',
        'get_user_name',
        'get-user-name',
        'getusername',
        'GetUserName',
      ],
      'Call get_order_by_id with a number.': ['get order by id', 'getOrderById'],
      'The pod is in CrashLoopBackOff again.': [
        'crash loop back off',
        'crash-loop-back-off',
        'crashloopbackoff',
      ],
      'Order part AB-1234-X today.': ['AB1234X', 'ab 1234 x', 'ab-1234-x'],
      'Ask O’Neil for the key.': ['oneil', "O'Neil", 'ONeil', 'o neil'],
      'The XMLHttpRequest was blocked.': ['xml http request', 'http request xml', 'xmlhttprequest'],
      'ECONNREFUSED 127.0.0.1:5432 on the start.': ['port 5432 refused', '127.0.0.1'],
      'Per la col·lecció de segells.': ['colleccio', 'col.lecció'],
      'USB케이블은 서랍에 있습니다.': ['usb', '케이블'],
      'The data-\nbase is copied at night.': ['database copied'],
      'Das E-Bike lädt im Keller.': ['ebike', 'e bike'],
      'TCP/IP is set on the second page.': ['tcpip'],
      'Write a to-do list.': ['todo list', 'todo'],
      'AT&T sells telephones.': ['ATT', 'att telephones'],
    },
    [
      'The postal code of the guest house is on the door.',
      'A door code for the network room.',
      'kebab-case-name is used for the name of a user file.',
      'The user has a name, get it.',
      'Order part AB-4321-X tomorrow.',
      'The loop goes back to the crash site.',
      'The list of lists is long.',
    ],
  ),

  'letters that are spelt': group(
    {
      'The A.I. model answers the mail.': ['AI', 'ai model'],
      'Parcels to the USA need a form.': ['U.S.A', 'u.s.a.', 'U S A'],
      'The CEO opens the fair.': ['C.E.O.', 'c.e.o'],
      'The FBI sent two agents.': ['F.B.I.', 'f.b.i'],
      'Das TÜV-Siegel hängt am Tor.': ['T.Ü.V.'],
      'TBMM salı günü toplanır.': ['T.B.M.M.'],
      'Законы РФ лежат в архиве.': ['Р.Ф.'],
      'Τα ΕΛΤΑ στέλνουν δέματα.': ['Ε.Λ.Τ.Α.'],
    },
    [
      'Parcels to the U.K. leave from Leeds.',
      'An N.G.O. from Kenya digs the well.',
      'Ask for Jane Doe, M.D., at the clinic.',
      'La S.N.C.F. rembourse le billet.',
      'Карта С.С.С.Р. висит в архиве.',
      'Flags C, E, F, U, B and T hang there.',
      'The model train is in the mail.',
    ],
  ),

  'numbers and their units': group(
    {
      'The basic plan has 5 GB of space.': ['5GB plan', '5 gb', '5GB'],
      'The pro plan has 512GB of SSD space.': ['512 GB SSD', '512gb'],
      'Use an M8 x 40 mm screw.': ['M8x40', 'm8 x 40', 'M8×40'],
      'The fee is 1,000 euros.': ['1000 euros', '1.000 euros', '1 000 euros'],
      'Der Preis beträgt 25 500 Kronen.': ['25500', '25.500 Kronen'],
      'Status 504 means the gateway gave up.': ['error 504', '504'],
      'Call 030-123-4567 for the desk.': ['0301234567', '030 123 4567', '(030) 123-4567'],
      'Réservez au +33 (0)1 44 55 66 77.': ['0144556677', '+33144556677', '01 44 55 66 77'],
      'Zentrale: 0221 / 47 11 08 15.': ['022147110815', '0221 47110815', '0221/47110815'],
      'Call +1 (555) 246-8101 at noon.': ['5552468101', '555-246-8101', '+15552468101'],
      'The laptop costs 1,299.00 francs.': ['1299 francs', '1299.00', "1'299 francs"],
      'Le loyer est de 1 250,00 couronnes.': ['1250 couronnes', '1250,00', '1.250,00 couronnes'],
      'The form was signed on 2024-03-05.': ['20240305', '2024-03-05', '2024.03.05'],
    },
    [
      'The large plan has 50 GB of space.',
      'The huge plan has 500 GB of space.',
      'Error 403 means no access, error 404 nothing there.',
      'Use an M6 x 20 mm screw.',
      'The fee is 100 euros.',
      'The desk costs 299 francs.',
      'La table est de 250 couronnes.',
      'Tel. +49 (0)89 246810-15',
    ],
  ),

  versions: group(
    {
      'Release v2.17.5 brings a faster start.': ['2.17.5', 'v2.17.5', 'release 2.17.5'],
      'Git 1.5.4.3 mends the clone.': ['Git 1.5.4.3', 'v1.5.4.3'],
      'Git 2.38 is out now.': ['git 2.38', 'Git v2.38'],
      'Python 3.11.4 closes a hole.': ['python 3.11'],
      'node18 is needed here.': ['node 18', 'node18'],
    },
    [
      'Tool 17.5.2 is the latest release.',
      'Release 2.5.17 was withdrawn.',
      'openai 4.38.4 renames a method, 2 of them.',
      'Git 5.4.1.3 is a mistake in print.',
      'Git 1.38.2 was long ago.',
      'Python 11.3 was never made.',
      'Release 5.17.2 is planned.',
    ],
  ),

  'signs and emoji': group(
    {
      'We hire C developers.': ['C developers', 'c'],
      'We hire C++ developers.': ['C++', 'c++ developers'],
      'We hire C# developers.': ['C#', 'c# developers'],
      'We hire F# developers.': ['F#'],
      'We hire .NET developers.': ['.NET', '.net developers'],
      'The R&D team has moved.': ['R&D', 'r&d team'],
      'Party on Friday 🎉 bring a cake.': ['🎉', 'party 🎉'],
      'The family 👨‍👩‍👧‍👦 comes along.': ['👨‍👩‍👧‍👦'],
      'Well done 👍🏽 all of you.': ['👍', '👍🏽'],
      'We drive to Berlin 🇩🇪 in May.': ['🇩🇪'],
      'We fly to Rome 🇮🇹 in June.': ['🇮🇹'],
      'It costs 20 € at the door.': ['€', '20€'],
      'It costs 20 £ at the gate.': ['£', '£20'],
      'It costs 20 ₹ in the shop.': ['₹'],
      'Test with a !== b first.': ['!=='],
      'Write x => y for a function.': ['=>'],
      'Take a ?? b where a may be null.': ['??'],
      'The sum is ≥ 7 always.': ['≥'],
    },
    ['A man 👨 waits.', 'The R team and the D team.'],
  ),

  'questions in few words': group(
    {
      'Pets are allowed for a fee of ten euros a night.': ['hotel pets allowed'],
      'The contract was signed on 5 March 2024.': ['2024-03-05'],
    },
    [
      'No pets in the dining room.',
      'The contract was signed on 7 April 2023.',
      'The contract ends on 5 June 2031.',
    ],
  ),

  'what nobody sees': group({
    'An in\u00adter\u00adlop\u00ader came into the gar\u00adden.': ['interloper', 'garden'],
    'Ask the data\u200bbase ad\u00admin\u00adis\u00adtra\u00adtor.': ['administrator', 'database'],
    'The \ufeffcatalogue is\u2060 printed.': ['catalogue'],
    'Der Donau\u200cdampf fährt.': ['Donaudampf'],
    'A sturdy umb\u200drella.': ['umbrella'],
  }),

  'a letter that is a stop word': group(
    {
      'Vitamin A is in carrots and liver.': [
        'vitamin A',
        'what is vitamin a good for',
        'Vitamin a',
      ],
      'Plan A is to wait.': ['plan a', 'Plan A'],
      'World War I ended in autumn.': ['world war i'],
      'A Hepatitis A test is free.': ['hepatitis A'],
    },
    [
      'Vitamin B is in a grain of rice.',
      'Vitamin C is in a lemon, and in a lime.',
      'Plan B is to go in a hurry, on a train.',
      'World War II began in a September.',
      'A Hepatitis B test costs a fee.',
    ],
  ),

  'the exact word before its likes': group(
    {
      'Bücher stehen im Regal.': ['Bücher'],
      'Bucher stehen im Regal.': ['Bucher'],
      'Ein schön Lied.': ['schön'],
      'Ein schon Lied.': ['schon'],
      'El año pasado.': ['año'],
      'Só és bors.': ['só'],
      'Số tám.': ['số'],
      'Наш совершенный мир.': ['совершенный'],
      'Java is taught here.': ['Java'],
      'JavaScript is taught here.': ['JavaScript', 'javascript', 'java script'],
    },
    ['El ano pasado.'],
  ),
}
