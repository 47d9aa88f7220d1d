/** The texts of `conversations.ts` in German. */

const list = new Intl.ListFormat('de');

export const conversations = {
  inbox: 'Eingang',
  mentions: 'Erwähnungen',
  starred: 'Markiert',
  channels: 'Kanäle',
  direct: 'Direktnachrichten',
  newDirect: 'Neue Direktnachricht',
  newDirectAbout: 'Wähle eine oder mehrere Personen.',
  findPeople: 'Name oder E-Mail-Adresse',
  write: 'Schreiben',
  unread: 'ungelesen',
  allTopics: (count: number) => `Alle ${count} Themen …`,
  topicsOf: (channel: string) => `Themen von #${channel}`,
  topic: 'Thema',
  optionalTopic: (general: string) => `Thema, oder leer für „${general}“`,
  unknownChannel: 'unbekannter Kanal',
  notesToSelf: 'Notizen an dich selbst',
  searchMessages: 'Nachrichten durchsuchen',
  found: (text: string) => `Suchergebnisse für „${text}“`,
  nothingFound: 'Keine Nachricht passt zu deiner Suche.',
  findChannel: 'Kanal suchen',
  findPerson: 'Person suchen',
  noMentions: 'Hier erscheinen Nachrichten, die dich erwähnen.',
  nothingStarred: 'Hier erscheinen Nachrichten, die du mit einem Stern markierst.',
  nothingNew: 'Keine ungelesenen Nachrichten. Deine Kanäle:',
  emptyTopic: 'Noch keine Nachrichten.',
  emptyChannel: 'Noch keine Nachrichten. Beginne ein neues Thema.',
  emptyDirect: 'Noch keine Nachrichten.',
  archived: 'Dieser Kanal ist archiviert.',
  notSubscribed: (channel: string) => `Du hast #${channel} nicht abonniert.`,
  subscribe: 'Abonnieren',
  markRead: 'Als gelesen markieren',
  staysUnread: 'Nachrichten bleiben hier ungelesen, bis du sie markierst.',
  markAllRead: 'Alle als gelesen markieren',
  allRead: (count: number) =>
    count === 1 ? '1 Nachricht als gelesen markiert' : `${count} Nachrichten als gelesen markiert`,
  follow: 'Folgen',
  mute: 'Stummschalten',
  nowMuted: (name: string) => `${name} stummgeschaltet`,
  nowUnmuted: (name: string) => `${name} nicht mehr stummgeschaltet`,
  expand: 'Nachricht anzeigen',
  messagesOf: (title: string) => `Nachrichten: ${title}`,
  newMessages: 'Neu',
  newBelow: (count: number) => (count === 1 ? '1 neue Nachricht' : `${count} neue Nachrichten`),
  toNewest: 'Zur neuesten Nachricht springen',
  typing: (names: readonly string[]) =>
    names.length > 3
      ? 'Mehrere Personen schreiben …'
      : `${list.format(names)} ${names.length === 1 ? 'schreibt' : 'schreiben'} …`,
  edited: 'bearbeitet',
  isStarred: 'markiert',
  toolsOf: (name: string, time: string) => `Nachricht von ${name}, ${time}`,
  react: 'Reagieren',
  reacted: (emoji: string, names: readonly string[]) => `${emoji}: ${names.join(', ')}`,
  star: 'Mit Stern markieren',
  unstar: 'Stern entfernen',
  quote: 'Zitieren',
  said: 'schrieb',
  more: 'Weitere Aktionen',
  topicMenu: 'Aktionen für das Thema',
  channelMenu: 'Aktionen für den Kanal',
  edit: 'Bearbeiten',
  changed: (now: string) =>
    `Jemand hat das inzwischen in „${now}“ geändert. Speichere noch einmal, um es zu überschreiben.`,
  editorLabel: 'Text der Nachricht',
  send: 'Senden',
  schedule: 'Nachricht planen',
  attach: 'Dateien anhängen',
  uploading: (count: number) =>
    count === 1 ? 'Eine Datei wird hochgeladen …' : `${count} Dateien werden hochgeladen …`,
  notSent: (place: string, why: string) => `Nachricht an ${place} nicht gesendet. ${why}`,
  writeTo: (place: string) => `Nachricht an ${place}`,
  startTopic: 'Neues Thema',
  tooLong: (count: number, most: number) => `Nachricht zu lang: ${count} von ${most} Zeichen.`,
  enterSends: 'Enter sendet, Umschalt+Enter beginnt eine neue Zeile. Markdown wird unterstützt.',
  ctrlEnterSends: 'Strg+Enter sendet. Markdown wird unterstützt.',
  suggestions: 'Vorschläge',
  commands: { me: 'Beschreibe, was du tust', poll: 'Umfrage starten', todo: 'Aufgabenliste starten' },
  wildcards: { all: 'alle in dieser Unterhaltung', topic: 'alle in diesem Thema' },
};

export const unsent = {
  title: 'Noch nicht gesendete Nachrichten',
  sending: 'Wird gesendet …',
  waits:
    'Der Server ist nicht erreichbar. Diese Nachricht wird gesendet, sobald die Verbindung wieder steht.',
  refused: (why: string) => `Nicht gesendet. ${why}`,
  tooOld: 'Nach sechs Tagen werden Nachrichten nicht mehr automatisch gesendet.',
  again: 'Jetzt senden',
  edit: 'Text bearbeiten',
  discard: 'Verwerfen',
  signOut: 'Einige Nachrichten sind noch nicht gesendet. Abmelden und sie verwerfen?',
};

export const overviews = {
  recent: 'Letzte Unterhaltungen',
  feed: 'Alle Nachrichten',
  emptyFeed: 'Noch keine Nachrichten.',
  caughtUp: 'Du hast alles gelesen',
  filter: 'Unterhaltungen filtern',
  filters: {
    unread: 'Ungelesen',
    participated: 'Beteiligt',
    direct: 'Direktnachrichten',
    followed: 'Folge ich',
    muted: 'Auch stummgeschaltete',
  },
  noneFit: 'Keine passende Unterhaltung.',
  loadOlder: 'Ältere Unterhaltungen laden',
  lastFrom: (name: string) => `${name}:`,
  you: 'Du',
  attachment: 'Anhang',
  mentioned: 'erwähnt dich',
  followed: 'folgst du',
  muted: 'stumm',
};

export const browsing = {
  title: 'Kanäle entdecken',
  tabs: { available: 'Verfügbar', subscribed: 'Abonniert', all: 'Alle' },
  subscribed: 'Abonniert',
  subscribers: (count: number) => (count === 1 ? '1 Abonnent' : `${count} Abonnenten`),
  weekly: (count: number, shown: string) =>
    count === 0
      ? 'keine neuen Nachrichten'
      : count === 1
        ? '1 Nachricht pro Woche'
        : `${shown} Nachrichten pro Woche`,
  join: 'Beitreten',
  joinIt: (name: string) => `#${name} beitreten`,
  joined: (name: string) => `Du bist #${name} beigetreten.`,
  leave: 'Verlassen',
  leaveIt: (name: string) => `#${name} verlassen`,
  left: (name: string) => `Du hast #${name} verlassen.`,
  leaveAbout: 'Dieser Kanal ist privat. Um zurückzukommen, muss dich jemand hinzufügen.',
  inAll: 'Du hast jeden Kanal abonniert, dem du beitreten kannst.',
  noneFit: 'Kein passender Kanal.',
};
