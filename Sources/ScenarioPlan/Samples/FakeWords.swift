/// The words that fakes are made of, version 1.
///
/// The lists are frozen: a word that was added, taken out or moved would change values that authors
/// have written down. What is new gets a list of its own.
enum FakeWords {
  static let firstNames = words(
    """
    Ada Alan Alice Amara Amir Anders Andrea Anna Aisha Ben Bianca Bob Carla Carlos Chen
    Chloe Clara Daniel Dara David Diego Dora Elena Elif Elias Emil Emma Erik Eva Farah Felix
    Fatima Finn Freya Gabriel Grace Greta Hana Hannah Hassan Hugo Ida Igor Ines Ingrid Ivan
    Jack Jana Jonas Julia Kai Karim Kenji Kofi Lara Lars Layla Lea Leon Lena Liam Lina Luca
    Lucy Luis Maja Marco Maria Marta Max Mei Mia Mila Mina Nadia Nia Nils Nina Noah Nora
    Olga Omar Oscar Otto Pablo Paula Petra Priya Rafael Ravi Rosa Ruth Sara Sofia Sven Tariq
    Tessa Thea Tom Uma Vera Victor Wei Yara Yuki Zoe
    """)

  static let lastNames = words(
    """
    Abbott Adams Ahmed Andersen Bailey Baker Barros Becker Bennett Berg Bradley Brandt Brown
    Carter Chang Clark Cohen Collins Costa Cruz Dahl Davies Diaz Dubois Eder Edwards Ekberg
    Evans Ferrari Fischer Foster Garcia Gomez Graham Gray Haas Hall Hansen Harris Hassan
    Hayes Hughes Ito Jackson Jansen Jensen Jones Kaplan Keller Khan Kim King Klein Kovacs
    Kumar Larsen Lee Lehmann Lewis Lopez Maier Marino Martin Meyer Mills Moore Morgan Moreau
    Murphy Nakamura Nguyen Nielsen Novak Okafor Olsen Ortiz Park Patel Pereira Perry Petrov
    Quinn Ramos Reed Ricci Rivera Rossi Roy Santos Sato Schmidt Silva Singh Smith Sousa
    Stein Svensson Tanaka Taylor Turner Vargas Vogel Wagner Walker Weber White Wilson Wood
    Wright Yilmaz Young Zhang Ziegler
    """)

  static let streetEndings = words(
    """
    Alley Avenue Bridge Circle Close Court Crescent Drive Garden Grove Hill Lane Mews Park
    Path Place Road Row Square Street Terrace Walk Way Yard
    """)

  static let cities = [
    "Aarhus", "Accra", "Amsterdam", "Athens", "Auckland", "Bangkok", "Barcelona", "Basel",
    "Beirut", "Belfast", "Bergen", "Berlin", "Bogota", "Boston", "Brussels", "Cairo", "Cape Town",
    "Chennai", "Chicago", "Copenhagen", "Cork", "Dakar", "Delhi", "Denver", "Dublin", "Florence",
    "Geneva", "Ghent", "Glasgow", "Graz", "Hamburg", "Hanoi", "Helsinki", "Istanbul", "Jakarta",
    "Kigali", "Krakow", "Kyoto", "Lagos", "Lima", "Lisbon", "London", "Lyon", "Madrid", "Malmo",
    "Manila", "Melbourne", "Milan", "Montreal", "Mumbai", "Munich", "Nairobi", "Naples", "Nantes",
    "Osaka", "Oslo", "Palermo", "Paris", "Porto", "Prague", "Quito", "Riga", "Rome", "Rotterdam",
    "Seattle", "Seoul", "Seville", "Sofia", "Stockholm", "Sydney", "Taipei", "Tallinn", "Tokyo",
    "Toronto", "Tunis", "Turin", "Utrecht", "Valencia", "Vienna", "Vilnius", "Warsaw", "Zagreb",
    "Zurich",
  ]

  static let states = words(
    """
    Alabama Alaska Arizona Bavaria Brittany California Carinthia Catalonia Colorado Georgia
    Hawaii Hesse Idaho Iowa Kansas Kerala Maine Nevada Normandy Ohio Ontario Oregon Punjab
    Quebec Saxony Sicily Styria Texas Tuscany Tyrol Utah Vermont Victoria Virginia Wisconsin
    Wyoming
    """)

  static let languages = words(
    """
    ar cs da de el en es et fi fr ga he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl
    sv th tr uk vi zh
    """)

  static let timeZones = words(
    """
    Africa/Cairo Africa/Lagos Africa/Nairobi America/Bogota America/Chicago America/Denver
    America/Halifax America/Lima America/Los_Angeles America/New_York America/Sao_Paulo
    Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Kolkata Asia/Manila Asia/Seoul
    Asia/Singapore Asia/Tokyo Australia/Perth Australia/Sydney Europe/Berlin Europe/Dublin
    Europe/Helsinki Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome
    Europe/Vienna Pacific/Auckland UTC
    """)

  static let companyEndings = [
    "& Daughters", "& Sons", "AG", "Analytics", "Brothers", "Consulting", "Energy", "Foods",
    "GmbH", "Group", "Holdings", "Inc", "Industries", "Labs", "LLC", "Logistics", "Ltd", "Media",
    "Motors", "Partners", "Press", "Software", "Studios", "Systems", "Textiles", "Works",
  ]

  static let jobs = words(
    """
    Accountant Actor Architect Baker Barber Biologist Bookbinder Carpenter Chef Chemist
    Clockmaker Dentist Designer Detective Diver Doctor Economist Editor Electrician Engineer
    Farmer Firefighter Florist Gardener Geologist Glazier Journalist Judge Lawyer Librarian
    Locksmith Mason Mechanic Midwife Miner Musician Nurse Optician Painter Pharmacist
    Photographer Physicist Pilot Plumber Potter Programmer Sailor Sculptor Surveyor Tailor
    Teacher Translator Typographer Veterinarian Waiter Weaver Writer
    """)

  static let adjectives = words(
    """
    ample brave bright calm clever cool cosy crisp deep eager early fair fast fine firm
    fresh gentle glad grand green handy happy heavy keen kind large late light little lively
    long loud lucky mellow mild neat new noble open plain polite proud pure quick quiet
    rapid rare ready rich round royal rustic safe sharp shiny silent simple sleek slim small
    smart smooth soft solid spare steady still stout strong sturdy sunny sweet swift tall
    tidy tiny tough vast vivid warm wide wild wise young
    """)

  static let things = words(
    """
    Anchor Bag Basket Bell Bench Blanket Book Bottle Bowl Box Brush Bucket Button Candle
    Chair Clock Coat Comb Cup Desk Drum Fan Flute Fork Glass Glove Hammer Hat Jar Kettle Key
    Kite Knife Ladder Lamp Lens Lock Map Mirror Mug Needle Paddle Pan Pen Pencil Pillow
    Plate Pot Purse Ring Rope Rug Saw Scarf Shelf Shoe Sieve Spoon Stool Table Tent Towel
    Tray Umbrella Vase Violin Wallet Watch Wheel Whistle
    """)

  static let currencies = words(
    """
    AUD BRL CAD CHF CNY CZK DKK EGP EUR GBP HUF IDR ILS INR ISK JPY KES KRW MXN NGN NOK NZD
    PHP PLN RON SEK SGD THB TRY USD ZAR
    """)

  static let colors = words(
    """
    amber azure beige black blue bronze brown coral crimson cyan emerald gold gray green
    indigo ivory jade lavender lilac lime magenta maroon mint navy ochre olive orange orchid
    peach pink plum purple red rose ruby salmon scarlet sienna silver tan teal turquoise
    violet white yellow
    """)

  static let words = words(
    """
    acorn amber anchor apple arrow autumn barley basil beacon birch blossom bramble breeze
    bridge brook cabin candle canvas canyon cedar cherry cinder cliff clover cobalt copper
    coral cotton cove crane creek crown dawn delta desert dune eagle earth ember falcon
    feather fern field fjord flint forest fountain fox frost galaxy garden ginger glacier
    granite grove harbor harvest hazel heather heron hill hollow honey horizon island ivory
    jasper juniper kelp lagoon lake lantern larch lemon lilac linen maple marble marsh
    meadow mist moon moss mountain nectar oak oasis ocean olive onyx orchard otter owl pearl
    pebble pepper pine planet pond poplar prairie quartz rain raven reed reef ridge river
    robin rocket rose saffron sage sand shadow shell shore silver sky snow sparrow spring
    spruce star stone storm stream summer sunset swan thistle thunder timber topaz tulip
    valley velvet violet walnut water wave willow wind winter wolf wood zephyr
    """)

  static let months = words(
    """
    January February March April May June July August September October November December
    """)

  static let weekdays = words(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    """)

  static let fileEndings = words(
    """
    csv docx gif html jpg json md mp3 mp4 odt pdf png svg tar.gz txt wav xml yaml zip
    """)

  static let mimeTypes = words(
    """
    application/gzip application/json application/octet-stream application/pdf
    application/xml application/zip audio/mpeg image/gif image/jpeg image/png image/svg+xml
    text/css text/csv text/html text/plain video/mp4
    """)

  static let userAgents: [String] = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like "
      + "Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like "
      + "Gecko) Version/17.5 Safari/605.1.15",
    "curl/8.8.0",
    "Wget/1.24.5",
    "python-requests/2.32.3",
    "Go-http-client/2.0",
  ]

  static let emoji = words(
    """
    🌊 🌍 🌙 🌱 🌲 🌵 🌸 🌻 🍀 🍄 🍇 🍉 🍋 🍎 🍓 🍞 🎈 🎨 🎸 🏔 🐌 🐘 🐙 🐝 🐢 🐳 🐸 🐼 🚀 🚲 🦉 🦊 🦋 🧭
    """)

  static let passwordLetters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#%+-=?_"
    .map { String($0) }

  static let countries: [(name: String, code: String)] = [
    ("Argentina", "AR"),
    ("Australia", "AU"),
    ("Austria", "AT"),
    ("Belgium", "BE"),
    ("Brazil", "BR"),
    ("Bulgaria", "BG"),
    ("Canada", "CA"),
    ("Chile", "CL"),
    ("China", "CN"),
    ("Colombia", "CO"),
    ("Croatia", "HR"),
    ("Czechia", "CZ"),
    ("Denmark", "DK"),
    ("Ecuador", "EC"),
    ("Egypt", "EG"),
    ("Estonia", "EE"),
    ("Finland", "FI"),
    ("France", "FR"),
    ("Germany", "DE"),
    ("Ghana", "GH"),
    ("Greece", "GR"),
    ("Hungary", "HU"),
    ("Iceland", "IS"),
    ("India", "IN"),
    ("Indonesia", "ID"),
    ("Ireland", "IE"),
    ("Israel", "IL"),
    ("Italy", "IT"),
    ("Japan", "JP"),
    ("Kenya", "KE"),
    ("Latvia", "LV"),
    ("Lebanon", "LB"),
    ("Lithuania", "LT"),
    ("Luxembourg", "LU"),
    ("Malta", "MT"),
    ("Mexico", "MX"),
    ("Morocco", "MA"),
    ("Netherlands", "NL"),
    ("New Zealand", "NZ"),
    ("Nigeria", "NG"),
    ("Norway", "NO"),
    ("Peru", "PE"),
    ("Philippines", "PH"),
    ("Poland", "PL"),
    ("Portugal", "PT"),
    ("Romania", "RO"),
    ("Rwanda", "RW"),
    ("Senegal", "SN"),
    ("Singapore", "SG"),
    ("Slovakia", "SK"),
    ("Slovenia", "SI"),
    ("South Africa", "ZA"),
    ("South Korea", "KR"),
    ("Spain", "ES"),
    ("Sweden", "SE"),
    ("Switzerland", "CH"),
    ("Thailand", "TH"),
    ("Tunisia", "TN"),
    ("Turkey", "TR"),
    ("Ukraine", "UA"),
    ("United Kingdom", "GB"),
    ("United States", "US"),
    ("Uruguay", "UY"),
    ("Vietnam", "VN"),
  ]

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map { String($0) }
  }
}
