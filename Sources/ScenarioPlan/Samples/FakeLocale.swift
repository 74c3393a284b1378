internal import Foundations
internal import ScenarioModel

/// The words of fakes in a language other than English, frozen as those are.
struct FakeLocale {
  let firstNames: [String]
  let lastNames: [String]
  let cities: [String]
  let streets: [String]
  let countries: [String]
  let months: [String]
  let weekdays: [String]
  /// Telephone numbers that are never assigned: their prefix, and the number of digits behind it.
  let phone: (prefix: String, digits: Int)

  /// The words of a language; `nil` for English, which ``FakeWords`` has.
  static func of(_ locale: FakeRequest.Locale) -> FakeLocale? {
    switch locale {
    case .en: nil
    case .de: german
    case .fr: french
    }
  }

  /// The next text of a fake that takes `locale`.
  func text(of fake: FakeValue, _ random: inout SplitMix64) -> String {
    switch fake {
    case .first_name: random.pick(firstNames)
    case .last_name: random.pick(lastNames)
    case .name: random.pick(firstNames) + " " + random.pick(lastNames)
    case .city: random.pick(cities)
    case .street: random.pick(streets)
    case .country: random.pick(countries)
    case .month: random.pick(months)
    case .weekday: random.pick(weekdays)
    default: phone.prefix + (0..<phone.digits).map { _ in "\(random.next(below: 10))" }.joined()
    }
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  static let german = FakeLocale(
    firstNames: words(
      "Anja Anton Birgit Björn Charlotte Dieter Emilia Felix Frieda Friedrich Gisela Greta Günther Hannelore "
        + "Heike Henrik Ida Ingo Jörg Jürgen Karin Käthe Klaus Leonie Lukas Mathilda Matthias Moritz Niklas "
        + "Paul Renate Rüdiger Sabine Sören Stefan Theo Ulrike Ursula Uwe Wiebke Wolfgang Zoë"),
    lastNames: words(
      "Bäcker Becker Böhm Braun Fischer Förster Fuchs Groß Günther Hartmann Herrmann Hoffmann Jäger Kaiser "
        + "Keller Koch König Köhler Krämer Krause Krüger Lange Lehmann Maier Meyer Möller Müller Neumann Peters "
        + "Richter Schäfer Schmidt Schneider Schröder Schulz Schwarz Vogel Voß Wagner Weber Weiß Wolf Zimmermann"
    ),
    cities: words(
      "Aachen Augsburg Berlin Bielefeld Bonn Bremen Chemnitz Dortmund Dresden Düsseldorf Erfurt Essen Freiburg "
        + "Göttingen Halle Hamburg Hannover Jena Karlsruhe Kassel Kiel Köln Leipzig Lübeck Mainz Mannheim München "
        + "Münster Nürnberg Potsdam Regensburg Rostock Stuttgart Tübingen Ulm Weimar Würzburg"),
    streets: words(
      "Ahornweg Amselweg Bachstraße Bahnhofstraße Bergstraße Birkenweg Blumenstraße Brückenstraße Dorfstraße "
        + "Eichenallee Feldweg Friedhofsweg Gartenstraße Goethestraße Hauptstraße Kastanienallee Kirchgasse "
        + "Lindenstraße Marktplatz Mühlenweg Ringstraße Rosenweg Schillerstraße Schlossplatz Schulstraße Waldweg"
    ),
    countries: words(
      "Ägypten Belgien Brasilien Dänemark Deutschland Finnland Frankreich Griechenland Indien Italien Japan Kanada "
        + "Kenia Mexiko Niederlande Norwegen Österreich Polen Portugal Schweden Schweiz Spanien Türkei Ungarn"
    ),
    months: words(
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    weekdays: words("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
    // The numbers that the Bundesnetzagentur keeps for films.
    phone: ("+49 30 23125", 3))

  static let french = FakeLocale(
    firstNames: words(
      "Adèle Agnès Amélie Antoine Aurélie Baptiste Benoît Camille Cécile Céline Chloé Clément Élise Émile Étienne "
        + "François Geneviève Gérard Hélène Hugo Inès Jérôme Joséphine Julien Léa Léon Lucie Maëlle Mathieu "
        + "Maxime Noé Océane Olivier Pénélope Quentin Raphaël Rémi Sébastien Sophie Théo Valérie Zoé"
    ),
    lastNames: words(
      "Barbier Benoît Bernard Bertrand Blanc Bonnet Chevalier Clément David Dubois Dupont Durand Fabre Faure "
        + "Fontaine Fournier François Garnier Gauthier Girard Guérin Lambert Laurent Lefèvre Legrand Leroy Martin "
        + "Mercier Moreau Morel Noël Perrin Petit Renard Richard Robert Rousseau Roux Simon Thomas Vidal Vincent"
    ),
    cities: words(
      "Amiens Angers Annecy Avignon Besançon Béziers Bordeaux Brest Caen Cannes Chambéry Dijon Grenoble Lille "
        + "Limoges Lyon Marseille Metz Montpellier Mulhouse Nancy Nantes Nice Nîmes Orléans Paris Pau Perpignan "
        + "Poitiers Reims Rennes Rouen Strasbourg Toulon Toulouse Tours Troyes Valence"),
    streets: [
      "Allée des Tilleuls", "Avenue de la Gare", "Avenue Victor Hugo", "Boulevard Gambetta",
      "Boulevard Voltaire", "Chemin des Vignes", "Cours Mirabeau", "Impasse du Moulin",
      "Place de la République", "Place du Marché", "Quai de la Loire", "Rue de l'Église",
      "Rue de la Fontaine", "Rue de la Paix", "Rue de Rivoli", "Rue des Écoles", "Rue des Fleurs",
      "Rue des Rosiers", "Rue du Château", "Rue du Général Leclerc", "Rue Jean Jaurès",
      "Rue Molière", "Rue Pasteur", "Route de Paris",
    ],
    countries: [
      "Allemagne", "Autriche", "Belgique", "Brésil", "Canada", "Danemark", "Égypte", "Espagne",
      "Finlande", "France", "Grèce", "Hongrie", "Inde", "Italie", "Japon", "Kenya", "Mexique",
      "Norvège", "Pays-Bas", "Pologne", "Portugal", "Sénégal", "Suède", "Suisse",
    ],
    months: words(
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    weekdays: words("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    // The numbers that the Arcep keeps for fiction.
    phone: ("+33 1 99 00 ", 4))
}
