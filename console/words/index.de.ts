/** The texts of `index.ts` in German. */
export * from './administration.de';
export * from './conversations.de';

export const language = 'de';

export const close = 'Schließen';
export const cancel = 'Abbrechen';
export const save = 'Speichern';
export const skip = 'Zum Inhalt springen';
export const menu = 'Menü';
export const signOut = 'Abmelden';
export const navigation = 'Hauptnavigation';
export const loading = 'Wird geladen …';
export const notFound = 'Seite nicht gefunden';
export const notFoundAbout = 'Vielleicht gibt es sie nicht, oder du hast keinen Zugriff darauf.';
export const unreachable = 'Der Server ist nicht erreichbar. Versuche es gleich noch einmal.';
export const tryAgainIn = (seconds: number) =>
  `Zu viele Anfragen. Versuche es in ${seconds} Sekunden noch einmal.`;
export const refused = (status: number) => `Der Server hat diese Anfrage abgelehnt (${status}).`;
export const tooLarge = 'Zu groß für diesen Server.';
export const tryAgain = 'Noch einmal versuchen';
export const remove = (name: string) => `${name} entfernen`;
export const back = 'Zurück';
export const tabs = { title: 'Reiter', messages: 'Nachrichten', search: 'Suche', you: 'Du' };
export const presence = { active: 'Aktiv', idle: 'Abwesend', offline: 'Offline' };
export const connection = {
  starting: 'Verbindung wird hergestellt …',
  live: 'Live',
  lost: 'Verbindung verloren. Neuer Versuch …',
};
export const sections = { conversations: 'Unterhaltungen', administration: 'Verwaltung' };

export const passkey = {
  use: 'Passkey verwenden',
  unused: 'Es wurde kein Passkey verwendet. Versuche es noch einmal oder auf andere Weise.',
  known: 'Dieses Gerät hat schon einen Passkey für dich.',
};

export const reauthentication = {
  title: 'Bestätige, dass du es bist',
  about: 'Zu deiner Sicherheit ist das nötig, wenn deine Anmeldung mehr als zehn Minuten zurückliegt.',
  password: 'Dein Passwort',
  code: 'Code aus deiner Authenticator-App oder ein Wiederherstellungscode',
  action: 'Bestätigen',
  signIn: 'Melde dich noch einmal über deinen Identitätsanbieter an. Versuche es dann erneut.',
};

export const drafts = 'Entwürfe';
export const scheduled = 'Geplante Nachrichten';
export const reminders = 'Erinnerungen';
export const hasDraft = 'Entwurf';
export const undo = 'Rückgängig';

export const add = 'Hinzufügen';
export const erase = 'Löschen';
export const done = 'Fertig';
export const saved = 'Gespeichert';
export const copy = 'Kopieren';
export const copied = 'Kopiert';
export const copyCode = 'Code kopieren';
export const codeCopied = 'Code kopiert';
export const reload = 'Neu laden';
export const older = 'Ältere laden';
export const find = 'Filtern';
export const name = 'Name';
export const email = 'E-Mail-Adresse';
export const role = 'Rolle';
export const time = 'Zeit';
export const yesterday = 'Gestern';
export const action = 'Aktion';
export const result = 'Ergebnis';
export const description = 'Beschreibung';
export const parts = 'Abschnitte';
export const none = 'Keine';
export const nothingFound = 'Keine Treffer';
export const more = (count: number) => `${count} weitere. Suche genauer, um sie zu sehen.`;
export const notForYou = 'Du hast keinen Zugriff auf diese Seite';
export const notAllowed = 'Du darfst das nicht ändern.';

export const only = {
  administrators: 'Nur für Administratoren sichtbar',
  owners: 'Nur für Eigentümer sichtbar',
};

export const ownersOnly = 'Nur Eigentümer können das ändern.';

export const settings = {
  unlimited: 'Unbegrenzt',
  changed: 'Jemand hat das inzwischen geändert. Wähle noch einmal.',
  custom: 'Eigener Wert …',
  amount: (label: string) => `${label}: Anzahl`,
  unit: (label: string) => `${label}: Einheit`,
  chooseChannel: 'Kanal auswählen',
  shorten: 'Ältere Nachrichten löschen',
  shortenAbout: (time: string) =>
    `Nachrichten, die älter als ${time} sind, werden innerhalb einer Stunde endgültig gelöscht.`,
};

export const settingsTitle = 'Einstellungen';

export const members = {
  title: 'Mitglieder',
  add: 'Mitglied hinzufügen',
  choose: 'Person auswählen',
  removed: (name: string) => `${name} entfernt`,
  remove: 'Entfernen',
};

export const quietUntil = (time: string) => `Benachrichtigungen pausiert bis ${time}`;
export const hiddenText = 'Neue Direktnachricht';
