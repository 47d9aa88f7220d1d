/** The texts of `words.ts` in German. */

export const palette = {
  title: 'Gehe zu',
  field: 'Kanal, Person oder Seite',
  search: (text: string) => `Nachrichten nach „${text}“ durchsuchen`,
  kinds: {
    page: 'Seite',
    settings: 'Einstellungen',
    channel: 'Kanal',
    topic: 'Thema',
    person: 'Direktnachricht',
  },
  results: 'Treffer',
};

export const keys = {
  title: 'Tastenkürzel',
  letters: 'Kürzel mit einer einzelnen Taste',
  list: [
    ['Strg+K', 'Zu einem Kanal, einer Person oder Seite gehen'],
    ['?', 'Diese Liste anzeigen'],
    ['/', 'Nachrichten durchsuchen'],
    ['J oder ↓', 'Nächste Nachricht oder Unterhaltung'],
    ['K oder ↑', 'Vorige Nachricht oder Unterhaltung'],
    ['Umschalt+G oder Ende', 'Neueste Nachricht'],
    ['R', 'Hier schreiben'],
    [':', 'Auf die Nachricht reagieren'],
    ['>', 'Die Nachricht zitieren'],
    ['<', 'Die Nachricht weiterleiten'],
    ['E', 'Die Nachricht bearbeiten'],
    ['Strg+S', 'Die Nachricht mit Stern markieren'],
    ['I', 'Aktionen für die Nachricht'],
    ['U', 'Profil des Absenders'],
    ['V', 'Bilder groß anzeigen'],
    ['N', 'Nächstes ungelesenes Thema'],
    ['P', 'Nächste ungelesene Direktnachricht'],
    ['X', 'Neue Direktnachricht'],
    ['Umschalt+I', 'Eingang'],
    ['T', 'Letzte Unterhaltungen'],
    ['A', 'Alle Nachrichten'],
    ['D', 'Entwürfe'],
    ['*', 'Markiert'],
    ['@', 'Erwähnungen'],
    ['Strg+B, Strg+I, Strg+E', 'Fett, kursiv, Code'],
    ['Strg+Umschalt+X, Strg+Umschalt+L', 'Durchgestrichen, Link'],
    ['Alt+P', 'Vorschau des Geschriebenen'],
  ],
} as const;
