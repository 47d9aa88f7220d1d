/** The texts of `words.ts` in German. */

export const title = 'Einstellungen';
export const find = 'Einstellung suchen';
export const found = (text: string) => `Einstellungen mit „${text}“`;

export const pages = {
  profile: 'Profil',
  account: 'Konto und Passwort',
  security: 'Zwei-Faktor-Anmeldung',
  keys: 'API-Schlüssel',
  devices: 'Geräte',
  preferences: 'Darstellung und Verhalten',
  notifications: 'Benachrichtigungen',
  privacy: 'Privatsphäre',
  muted: 'Stummgeschaltet',
};

export const about: Record<keyof typeof pages, string> = {
  profile: 'Was andere von dir sehen.',
  account: 'Wie du dich anmeldest.',
  security: 'Nach dem Passwort wirst du nach einem Passkey oder einem Code aus einer App gefragt.',
  keys: 'Für Programme, die für dich oder deine Bots handeln. Ein Schlüssel hat nie mehr Rechte als sein Konto.',
  devices: 'Browser, in denen du angemeldet bist.',
  preferences: 'Wie die Konsole aussieht und sich verhält. Änderungen gelten sofort.',
  notifications: 'Worüber und wie du benachrichtigt wirst. Änderungen gelten sofort.',
  privacy: 'Was andere über dich erfahren. Änderungen gelten sofort.',
  muted: 'Personen und Themen, die dich nicht benachrichtigen.',
};

export const profile = {
  picture: 'Bild',
  pictureAbout: 'JPEG, PNG, GIF oder WebP, bis 5 MB. Es wird quadratisch zugeschnitten.',
  upload: 'Bild hochladen',
  remove: 'Bild entfernen',
  details: 'Angaben',
  name: 'Name',
  fixedName: 'Deine Organisation erlaubt nicht, Namen zu ändern.',
  fixedPicture: 'Deine Organisation erlaubt nicht, Bilder zu ändern.',
  timeZone: 'Zeitzone',
  timeZoneAbout: 'Andere sehen deine Ortszeit.',
  noTimeZone: 'Nicht gesetzt',
  useDevice: (zone: string) => `Zeitzone dieses Geräts übernehmen (${zone})`,
};

export const account = {
  email: 'E-Mail-Adresse',
  changeEmail: 'E-Mail-Adresse ändern',
  newEmail: 'Neue E-Mail-Adresse',
  fixedEmail: 'Deine Organisation erlaubt nicht, E-Mail-Adressen zu ändern.',
  emailChanged: 'E-Mail-Adresse geändert',
  password: 'Passwort',
  changePassword: 'Passwort ändern',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  passwordAbout: 'Lang und schwer zu erraten, zum Beispiel vier Wörter ohne Zusammenhang.',
  passwordEffect: 'Alle deine anderen Geräte werden abgemeldet.',
  passwordChanged: 'Passwort geändert',
  role: 'Rolle',
};

export const security = {
  off: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet.',
  on: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet.',
  left: (count: number) =>
    count === 1 ? '1 Wiederherstellungscode übrig' : `${count} Wiederherstellungscodes übrig`,
  few: 'Richte noch einmal eine Authenticator-App ein, um neue Codes zu bekommen.',
  setUp: 'Einrichten',
  setUpTitle: 'Zwei-Faktor-Anmeldung einrichten',
  proceed: 'Weiter',
  scan: 'Scanne das mit einer Authenticator-App oder gib den Schlüssel ein.',
  picture: 'QR-Code mit dem Schlüssel',
  key: 'Schlüssel',
  code: 'Code aus der App',
  codeAbout: 'Deine anderen Sitzungen werden abgemeldet.',
  turnOn: 'Einschalten',
  codesTitle: 'Wiederherstellungscodes',
  codesAbout:
    'Mit jedem kannst du dich einmal ohne App oder Passkey anmelden. Bewahre sie getrennt vom Telefon auf: Sie werden nicht noch einmal angezeigt.',
  kept: 'Ich habe sie gespeichert',
  turnOff: 'Ausschalten',
  turnOffTitle: 'Authenticator-App entfernen',
  anyCode: 'Code aus der App oder ein Wiederherstellungscode',
};

export const passkeys = {
  title: 'Passkeys',
  about: 'Melde dich mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel an, mit oder ohne Passwort.',
  none: 'Noch keine Passkeys',
  unsupported: 'Dieser Browser kennt keine Passkeys.',
  add: 'Passkey hinzufügen',
  nameAbout: 'Woran du ihn erkennst, zum Beispiel „Laptop“.',
  rename: 'Umbenennen',
  remove: 'Entfernen',
  removeAbout: 'Du kannst dich nicht mehr damit anmelden, und deine anderen Sitzungen werden abgemeldet.',
  added: 'Hinzugefügt',
  used: 'Zuletzt verwendet',
  site: 'Für',
};

export const app = { title: 'Authenticator-App', on: 'Eingerichtet', off: 'Nicht eingerichtet' };

export const keys = {
  add: 'Schlüssel erstellen',
  none: 'Noch keine API-Schlüssel',
  account: 'Konto',
  scopes: 'Darf',
  expires: 'Gültig bis',
  never: 'Unbegrenzt',
  used: 'Zuletzt benutzt',
  notUsed: 'Nie',
  revoke: 'Widerrufen',
  revokeAbout: (name: string) => `Programme, die „${name}“ benutzen, funktionieren sofort nicht mehr.`,
  nameAbout: 'Wofür er ist, zum Beispiel „Deployments“.',
  scopesLabel: 'Was er darf',
  passwordAbout: 'Bleibt leer, wenn du dich nur über einen Anbieter anmeldest.',
  noScope: 'Wähle mindestens ein Recht.',
  channels: 'Kanäle',
  allChannels: 'Alle, die das Konto sieht',
  channelsAbout:
    'Mit Kanälen hier erreicht der Schlüssel nur diese: keine anderen Nachrichten, auch keine Direktnachrichten.',
  chooseChannel: 'Auf einen Kanal beschränken …',
  names: {
    read: 'Lesen',
    send: 'Senden',
    manage_channels: 'Kanäle verwalten',
    manage_people: 'Personen verwalten',
    administer: 'Administrieren',
  } as Record<string, string>,
  abouts: {
    read: 'Nachrichten, Kanäle, Personen und Dateien, die das Konto sieht',
    send: 'Senden, bearbeiten, löschen und reagieren; Dateien hochladen',
    manage_channels: 'Kanäle anlegen und ändern, Personen als Abonnenten hinzufügen',
    manage_people: 'Konten, Gruppen, Einladungen und die eigenen Einstellungen des Kontos',
    administer: 'Einstellungen der Organisation',
  } as Record<string, string>,
  lifetime: 'Gültig für',
  lifetimes: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage', 365: '1 Jahr', 0: 'Unbegrenzt' },
  lifetimeOrder: ['7', '30', '90', '365', '0'],
  shownTitle: 'Neuer API-Schlüssel',
  shownAbout: 'Kopiere ihn jetzt: Er wird nicht noch einmal angezeigt.',
  key: 'API-Schlüssel',
  file: 'Datei zuliprc',
};

/** The server's words for a wrong password, which it says in English. */
export const wrongPassword = 'Falsches Passwort.';

export const devices = {
  endAll: 'Alle anderen Sitzungen abmelden',
  remembered: 'Gemerkte Browser',
  rememberedAbout: 'Hier wirst du beim Anmelden nicht nach einem Code gefragt.',
  thisBrowser: 'dieser Browser',
  since: 'Seit',
  forget: 'Vergessen',
  forgetAll: 'Alle Browser vergessen',
  forgetAbout: 'Bei der nächsten Anmeldung wird dort wieder nach einem Code gefragt.',
};

export const appearance = {
  title: 'Darstellung',
  theme: 'Farben',
  themes: ['Wie das System', 'Dunkel', 'Hell'],
  size: 'Schriftgröße',
  sizes: (px: number) => (px === 16 ? '16 (Standard)' : String(px)),
  lines: 'Zeilenabstand',
  spacings: { 122: 'Eng', 140: 'Normal', 160: 'Weit' } as Record<number, string>,
  percent: (percent: number) => `${percent} %`,
  sample:
    'Franz jagt im komplett verwahrlosten Taxi quer durch Bayern. Bayern stört das nicht: Es hat schon ganz anderes gesehen.',
  contrast: 'Hoher Kontrast',
  contrastAbout: 'Dunklere Linien und kräftigerer Text.',
  wide: 'Volle Breite für Nachrichten nutzen',
};

export const time = {
  title: 'Zeit',
  format: 'Zeitformat',
};

export const writing = {
  title: 'Schreiben und Tastatur',
  enter: 'Enter sendet die Nachricht',
  enterAbout:
    'Umschalt+Enter beginnt eine neue Zeile. Sonst beginnt Enter eine neue Zeile, und Strg+Enter sendet.',
  emoticons: 'Emoticons wie :) in Emojis verwandeln',
  keys: 'Kürzel mit einer einzelnen Taste',
  keysAbout: 'Zum Beispiel R zum Antworten. Nur auf diesem Gerät. Mit ? siehst du die Liste.',
};

export const reading = {
  title: 'Lesen',
  mark: 'Nachrichten als gelesen markieren, wenn ich sie sehe',
  marked: ['In allen Ansichten', 'In Themen und Direktnachrichten', 'Nie'],
};

export const firstView = {
  title: 'Erste Ansicht',
  homes: { inbox: 'Eingang', recent: 'Letzte Unterhaltungen', all_messages: 'Alle Nachrichten' },
  escape: 'Escape öffnet die erste Ansicht',
  escapeAbout: 'Wenn nichts anderes offen ist.',
};

export const languages = {
  title: 'Sprache',
  about: 'Die Konsole spricht Deutsch und Englisch, andere Apps auch weitere Sprachen.',
};

export const topics = {
  title: 'Themen folgen',
  about: 'Das erledigt der Server, wenn Nachrichten ankommen, für alle deine Apps.',
  follow: 'Themen automatisch folgen',
  unmute: 'Stummschaltung von Themen in stummgeschalteten Kanälen automatisch aufheben',
  policies: ['Wenn ich mich beteilige', 'Wenn ich eine Nachricht sende', 'Wenn ich sie eröffne', 'Nie'],
  mentioned: 'Themen folgen, in denen ich erwähnt werde',
  resolved: 'Hinweise auf erledigte Themen als gelesen markieren',
  resolvedPolicies: { always: 'Immer', except_followed: 'Außer in Themen, denen ich folge', never: 'Nie' },
};

export const privacy = {
  presence: 'Anwesenheit und Tippen',
  presence_enabled: 'Zeigen, wann ich aktiv bin',
  presenceAbout: 'Sonst erscheinst du anderen als offline.',
  send_private_typing_notifications: 'Zeigen, wenn ich Direktnachrichten schreibe',
  send_stream_typing_notifications: 'Zeigen, wenn ich in Kanälen schreibe',
  receives_typing_notifications: 'Anzeigen, wenn andere schreiben',
  reading: 'Lesen',
  send_read_receipts: 'Anderen zeigen, was ich gelesen habe',
  email: 'E-Mail-Adresse',
  visibility: 'Wer meine E-Mail-Adresse sieht',
  visibilities: { 1: 'Alle', 2: 'Mitglieder', 5: 'Moderatoren', 3: 'Administratoren', 4: 'Niemand' },
  data: 'Exporte',
  allow_private_data_export: 'Administratoren dürfen meine privaten Nachrichten und Daten exportieren',
};

export const muted = {
  people: 'Personen',
  peopleAbout:
    'Ihre Nachrichten werden beim Eintreffen als gelesen markiert und benachrichtigen dich deshalb nicht.',
  noPeople: 'Du hast niemanden stummgeschaltet',
  add: 'Person stummschalten',
  choose: 'Person auswählen',
  mute: 'Stummschalten',
  unmute: 'Stummschaltung aufheben',
  topics: 'Themen',
  topicsAbout:
    'Themen, die von den Einstellungen ihres Kanals abweichen. Weitere kannst du über das Menü eines Themas stummschalten oder ihnen folgen.',
  noTopics: 'Alle Themen folgen den Einstellungen ihres Kanals',
  topic: 'Thema',
  policy: (topic: string) => `Benachrichtigungen von ${topic}`,
  notified: 'Benachrichtigungen',
  policies: ['Wie der Kanal', 'Stummgeschaltet', 'Nicht stummgeschaltet', 'Folgen'],
};

export const alertWords = {
  title: 'Signalwörter',
  about: 'Nachrichten mit einem dieser Wörter benachrichtigen dich wie Erwähnungen.',
  word: 'Wort oder Ausdruck',
  add: 'Hinzufügen',
};

export const notifications = {
  title: 'Benachrichtigungen auf dem Desktop',
  states: {
    granted: 'Dieser Browser zeigt Benachrichtigungen.',
    default: 'Dieser Browser zeigt noch keine Benachrichtigungen.',
    denied: 'Benachrichtigungen sind blockiert. Erlaube sie in den Einstellungen des Browsers.',
    missing: 'Benachrichtigungen brauchen HTTPS und einen Browser, der sie unterstützt.',
  },
  turnOn: 'Einschalten',
  test: 'Benachrichtigung testen',
  sample: 'Benachrichtigungen funktionieren.',
  what: 'Worüber du benachrichtigt wirst',
  about:
    'Desktop und Ton wirken, solange die Konsole offen ist, Push, solange sie geschlossen ist. Für einzelne Kanäle kannst du das in ihren Einstellungen unter „Persönlich“ anders festlegen.',
  messages: 'Nachrichten',
  columns: { desktop: 'Desktop', sound: 'Ton', push: 'Push', email: 'E-Mail' },
  rows: {
    personal: 'Direktnachrichten, Erwähnungen und Signalwörter',
    followed: 'Themen, denen ich folge',
    channels: 'Kanäle',
  },
  cell: (row: string, column: string) => `${row}: ${column}`,
  wildcards: '@all und @topic als Erwähnungen behandeln',
  followedWildcards: 'Sie in Themen, denen ich folge, als Erwähnungen behandeln',
  online: 'Push-Benachrichtigungen auch senden, während ich aktiv bin',
  text: 'Text von Direktnachrichten zeigen',
  mail: 'E-Mail',
  mailAbout:
    'Was du verpasst, während du weg bist, kommt per E-Mail, sofern dieser Server welche verschickt. Signalwörter bringen keine.',
  mailText: 'Nachrichten in E-Mails zeigen',
  mailAfter: 'E-Mails senden nach',
  mailAfterHint: 'Was du in dieser Zeit verpasst, kommt in einer E-Mail je Unterhaltung.',
  delays: {
    120: '2 Minuten',
    300: '5 Minuten',
    600: '10 Minuten',
    1800: '30 Minuten',
    3600: '1 Stunde',
    21600: '6 Stunden',
    86400: '1 Tag',
  },
  signIns: 'Anmeldungen von neuen Geräten mitteilen',
  sounds: 'Töne abspielen',
  count: 'Zahl in Titel und Symbol',
  counts: [
    'Alle ungelesenen Nachrichten',
    'Direktnachrichten, Erwähnungen und Themen, denen ich folge',
    'Direktnachrichten und Erwähnungen',
    'Keine',
  ],
};
