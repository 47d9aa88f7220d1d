/** The texts of `words.ts` in German. */

export const message = {
  more: 'Weitere Aktionen',
  menu: (name: string) => `Aktionen für die Nachricht von ${name}`,
  reply: 'Antworten',
  quote: 'Zitieren',
  forward: 'Weiterleiten',
  copyLink: 'Link kopieren',
  copyText: 'Text kopieren',
  edit: 'Bearbeiten',
  history: 'Bearbeitungsverlauf',
  noHistory: 'Keine früheren Fassungen',
  moved: (from: string, to: string) => `Von ${from} nach ${to} verschoben`,
  original: 'Ursprünglich',
  move: 'Nachricht verschieben',
  star: 'Mit Stern markieren',
  unstar: 'Stern entfernen',
  collapse: 'Einklappen',
  expand: 'Ausklappen',
  markUnread: 'Ab hier als ungelesen markieren',
  receipts: 'Gelesen von',
  readBy: (count: number) => (count === 1 ? 'Von 1 Person gelesen' : `Von ${count} Personen gelesen`),
  remind: 'Erinnern',
  report: 'Nachricht melden',
  reportAbout: 'Die Moderatoren sehen diese Nachricht und dass du sie gemeldet hast.',
  reason: 'Grund',
  explanation: 'Erläuterung',
  sendReport: 'Meldung senden',
  reported: 'Den Moderatoren gemeldet',
  erase: 'Nachricht löschen',
  eraseAbout: 'Das kann nicht rückgängig gemacht werden.',
};

export const forwarding = {
  title: 'Nachricht weiterleiten',
  to: 'Kanal oder Person',
  chooseFirst: 'Wähle einen Kanal oder eine Person.',
  topic: 'Thema',
  comment: 'Kommentar',
  send: 'Weiterleiten',
  sent: (place: string) => `An ${place} weitergeleitet`,
  view: 'Ansehen',
  person: 'Direktnachricht',
  channel: 'Kanal',
};

export const moving = {
  channel: 'Kanal',
  topic: 'Thema',
  scope: 'Verschieben',
  scopes: {
    change_one: 'Diese Nachricht',
    change_later: 'Diese und alle späteren Nachrichten',
    change_all: 'Alle Nachrichten des Themas',
  },
  tellOld: 'Im alten Thema einen Hinweis hinterlassen',
  tellNew: 'Im neuen Thema einen Hinweis hinterlassen',
  moved: (place: string) => `Nach ${place} verschoben`,
  move: 'Verschieben',
};

export const topic = {
  menu: 'Aktionen für das Thema',
  markRead: 'Als gelesen markieren',
  policies: {
    none: 'Wie der Kanal',
    muted: 'Stummschalten',
    unmuted: 'Stummschaltung aufheben',
    followed: 'Folgen',
  },
  resolve: 'Als erledigt markieren',
  unresolve: 'Als unerledigt markieren',
  rename: 'Thema umbenennen oder verschieben',
  erase: 'Thema löschen',
  eraseAbout: (name: string) =>
    `Das löscht jede Nachricht in „${name}“ und kann nicht rückgängig gemacht werden.`,
};

export const channel = {
  menu: 'Aktionen für den Kanal',
  topics: 'Alle Themen anzeigen',
  pin: 'Oben anheften',
  mute: 'Stummschalten',
  color: 'Farbe des Kanals',
  setColor: 'Farbe übernehmen',
  otherColor: 'Andere Farbe',
  desktop: 'Benachrichtigungen auf dem Desktop',
  sound: 'Benachrichtigungston',
  push: 'Push-Benachrichtigungen',
  settings: 'Einstellungen des Kanals',
  leave: 'Kanal verlassen',
  joinAbout: (name: string) => `#${name} erscheint dann in der Seitenleiste.`,
  leaveAbout: (name: string) =>
    `#${name} verschwindet aus der Seitenleiste, und du hörst nichts mehr von seinen Nachrichten.`,
};

export const details = {
  noDescription: 'Keine Beschreibung',
  notifications: 'Benachrichtigungen zu diesem Thema',
  topics: 'Themen',
  members: (count: number) => (count === 1 ? '1 Mitglied' : `${count} Mitglieder`),
};

export const card = {
  title: (name: string) => `Über ${name}`,
  lastSeen: (age: string) => `Aktiv ${age}`,
  localTime: (time: string) => `${time} Ortszeit`,
  direct: 'Direktnachricht senden',
  manage: 'Verwalten',
};

export const user = {
  menu: 'Dein Menü',
  setStatus: 'Status setzen',
  changeStatus: 'Status ändern',
  pause: {
    halfHour: 'Benachrichtigungen 30 Minuten pausieren',
    hour: 'Benachrichtigungen 1 Stunde pausieren',
    tomorrow: 'Benachrichtigungen bis morgen pausieren',
  },
  resume: 'Benachrichtigungen fortsetzen',
  paused: 'Benachrichtigungen in diesem Browser pausiert',
  resumed: 'Benachrichtigungen fortgesetzt',
  profile: 'Profil',
  theme: { light: 'Helles Design', dark: 'Dunkles Design', system: 'Design des Systems' },
  invite: 'Personen einladen',
  firstSteps: 'Erste Schritte',
  keys: 'Tastenkürzel',
};

export const status = {
  title: 'Status setzen',
  text: 'Was du gerade machst',
  emoji: 'Emoji wählen',
  suggestions: 'Vorschläge',
  clear: 'Status löschen',
  presets: {
    meeting: 'In einer Besprechung',
    commuting: 'Unterwegs',
    remote: 'Im Homeoffice',
    sick: 'Krank',
    vacation: 'Im Urlaub',
  },
};

export const copied = 'Link kopiert';
export const textCopied = 'Text kopiert';
