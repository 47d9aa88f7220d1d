/** The texts of `administration.ts` in German. */

const names = new Intl.ListFormat('de');

export const people = {
  bot: 'Bot',
  guest: 'Gast',
  deactivated: 'deaktiviert',
  title: 'Personen',
  roles: {
    owner: 'Eigentümer',
    administrator: 'Administrator',
    moderator: 'Moderator',
    member: 'Mitglied',
    guest: 'Gast',
  },
  count: (count: number) => (count === 1 ? '1 Person' : `${count} Personen`),
  add: 'Person hinzufügen',
  added: (name: string) => `Konto für ${name} angelegt.`,
  import: 'Personen importieren',
  invitations: 'Einladungen',
  password: 'Erstes Passwort',
  passwordAbout: 'Parley verschickt es nicht. Gib es selbst weiter.',
  standing: 'Status',
  active: 'Aktiv',
  inactive: 'Deaktiviert',
  all: 'Alle',
  deactivate: 'Deaktivieren',
  deactivateAbout: (name: string) =>
    `${name} kann sich erst nach einer Reaktivierung wieder anmelden. Nachrichten bleiben erhalten.`,
  reactivate: 'Reaktivieren',
  reactivateAbout: (name: string) =>
    `${name} kann sich wieder anmelden, mit derselben Rolle und denselben Abonnements.`,
  roleAbout: 'Eine neue Rolle meldet die Person überall ab.',
  sessions: 'Sitzungen',
  noSessions: 'Keine aktiven Sitzungen',
  since: 'Angemeldet seit',
  lastUsed: 'Zuletzt benutzt',
  program: 'Programm',
  thisSession: 'Diese Sitzung',
  end: 'Abmelden',
  endAll: 'Alle Sitzungen abmelden',
  endAbout: 'Danach ist eine neue Anmeldung nötig.',
  link: 'Passwort zurücksetzen',
  makeLink: 'Link erstellen',
  linkAbout:
    'Mit diesem Link wird ein neues Passwort gesetzt. Er gilt einmal und eine Stunde lang. Gib ihn nur der Person, der das Konto gehört.',
};

export const adding = {
  about: 'Eine Person pro Zeile: Name, E-Mail-Adresse und, wenn gewünscht, Rolle.',
  file: 'CSV-Datei',
  text: 'Personen',
  example: 'Ada Adler, ada@example.com, member',
  preview: 'Vorschau',
  ready: 'Bereit',
  add: (count: number) => (count === 1 ? '1 Person hinzufügen' : `${count} Personen hinzufügen`),
  problems: {
    name: 'Name fehlt',
    email: 'E-Mail-Adresse fehlt',
    role: 'Unbekannte Rolle',
    twice: 'E-Mail-Adresse doppelt',
    known: 'E-Mail-Adresse schon vergeben',
  },
};

export const invitations = {
  invite: 'Einladen',
  whom: 'Eingeladen',
  by: 'Eingeladen von',
  until: 'Gültig bis',
  addresses: 'E-Mail-Adressen',
  addressesAbout:
    'Trenne Adressen mit Kommas oder Zeilenumbrüchen. Ohne Adressen entsteht ein Link, der mehrmals gilt.',
  revoke: 'Zurückziehen',
  revokeAbout: 'Der Link gilt dann nicht mehr.',
  resend: 'Erneut senden',
  resent: (email: string) => `Einladung erneut an ${email} gesendet`,
  byHand: 'Dieser Server verschickt keine E-Mails. Kopiere jeden Link und verschicke ihn selbst.',
  noneInvited: (list: readonly string[]) => `Keine Einladungen gesendet. Prüfe ${names.format(list)}.`,
  someInvited: (list: readonly string[]) =>
    `Nicht eingeladen: ${names.format(list)}. Alle anderen sind eingeladen.`,
  dailyLimit: 'Zu viele Einladungen an einem Tag. Versuche es morgen wieder.',
  reasons: {
    'Invalid address.': 'keine E-Mail-Adresse',
    'Email addresses containing + are not allowed.': '+ ist nicht erlaubt',
    'Outside your domain.': 'Domain nicht erlaubt',
    'Please use your real email address.': 'Wegwerfadresse',
    'Reserved for system bots.': 'vergeben',
    'Already has an account.': 'hat schon ein Konto',
    'Account has been deactivated.': 'Konto ist deaktiviert',
  },
};

export const bots = {
  title: 'Bots',
  about: 'Alle Bots der Organisation.',
  add: 'Bot anlegen',
  kind: 'Art',
  kinds: {
    generic: 'Allgemeiner Bot',
    incoming: 'Eingehender Webhook',
    outgoing: 'Ausgehender Webhook',
  },
  owner: 'Besitzer',
  ownedBy: (name: string) => `gehört ${name}`,
  url: 'Ziel-URL',
  urlAbout: 'Empfängt Nachrichten, die den Bot erwähnen.',
  key: 'API-Schlüssel',
  showKey: 'API-Schlüssel anzeigen',
  newKey: 'Neuen Schlüssel erzeugen',
  newKeyAbout: 'Der bisherige Schlüssel gilt sofort nicht mehr.',
  deactivateAbout: (name: string) =>
    `${name} arbeitet erst nach einer Reaktivierung wieder. Seine Nachrichten bleiben erhalten.`,
  reactivateAbout: (name: string) => `${name} arbeitet wieder.`,
  deliveries: 'Letzte Zustellungen',
  noDeliveries: 'Noch keine Zustellungen',
  message: 'Nachricht',
  attempt: 'Versuch',
  answer: 'Antwort',
};

export const channels = {
  title: 'Kanäle',
  add: 'Kanal anlegen',
  privately: 'Privat: nur für Abonnenten sichtbar',
  kind: 'Art',
  public: 'öffentlich',
  private: 'privat',
  webPublic: 'im Web öffentlich',
  archived: 'archiviert',
  read: 'Lesen',
  archive: 'Archivieren',
  archiveAbout: 'In einem archivierten Kanal kann niemand schreiben. Seine Nachrichten bleiben erhalten.',
  unarchive: 'Wiederherstellen',
  unarchiveAbout: 'In diesem Kanal kann wieder geschrieben werden.',
};

export const why = {
  title: 'Warum?',
  about: 'Zeigt, was eine Person darf und warum.',
  person: 'Person',
  object: 'Gilt für',
  kinds: { organization: 'Die Organisation', channel: 'Einen Kanal', group: 'Eine Gruppe' },
  yes: 'Ja.',
  no: 'Nein.',
  allowed: 'Erlaubt',
  all: 'Alle Aktionen',
  sentence: (name: string, allowed: boolean, action: string) =>
    `${name} ${allowed ? 'darf' : 'darf nicht'}: ${action}`,
  permitted: (name: string, allowed: boolean, permission: string) =>
    `${name} hat das Recht „${permission}“${allowed ? '' : ' nicht'}`,
  setting: 'Recht',
  group: 'Gruppe',
  chosen: 'Einzelne Personen und Gruppen',
};

export const organization = {
  title: 'Organisation',
  factors: {
    title: 'Zweiter Faktor',
    about: 'Wer noch keinen hat, richtet ihn bei der nächsten Anmeldung ein. API-Schlüssel gelten weiterhin.',
    label: 'Erforderlich für',
    choices: { nobody: 'Niemanden', administrators: 'Administratoren und Eigentümer', everyone: 'Alle' },
  },
};

export const linkifiers = {
  title: 'Linkmuster',
  about: 'Muster, die Text in neuen Nachrichten zu Links machen.',
  add: 'Linkmuster hinzufügen',
  pattern: 'Muster',
  patternAbout: 'Ein regulärer Ausdruck. (?P<id>…) erfasst einen Wert.',
  template: 'URL-Vorlage',
  templateAbout: '{id} wird durch den Wert ersetzt.',
  trial: 'Testtext',
  sample: 'Siehe #123 und #456.',
  noLinks: 'Keine Treffer',
  deleteAbout: (pattern: string) =>
    `In neuen Nachrichten wird ${pattern} nicht mehr zum Link. Vorhandene Links bleiben.`,
};

export const emoji = {
  title: 'Emojis',
  about: 'Eigene Emojis für alle in der Organisation.',
  add: 'Emoji hinzufügen',
  nameAbout: 'Kleinbuchstaben, Ziffern, _ und -.',
  picture: 'Bild',
  deleteAbout: (name: string) =>
    `:${name}: kann nicht mehr benutzt werden. In vorhandenen Nachrichten und Reaktionen bleibt es.`,
};

export const exports = {
  title: 'Exporte',
  about: 'Archive der Organisation, die Parley und Zulip einlesen können. Nach 30 Tagen werden sie gelöscht.',
  start: 'Neuer Export',
  content: 'Inhalt',
  contents: {
    public: 'Öffentliche Kanäle',
    full_with_consent: 'Öffentliche Kanäle und private Daten derer, die zugestimmt haben',
  },
  consents: (count: number, all: number) =>
    `${count} von ${all} Personen haben in den Einstellungen ihrer Privatsphäre zugestimmt. Mindestens ein Eigentümer muss dabei sein.`,
  at: 'Zeit',
  by: 'Angefordert von',
  state: 'Status',
  states: { pending: 'In Arbeit …', ready: 'Fertig', failed: 'Fehlgeschlagen', deleted: 'Gelöscht' },
  download: 'Herunterladen',
  deleteAbout: 'Das Archiv wird vom Server gelöscht.',
};

export const directories = {
  title: 'Verzeichnisse',
  about:
    'Schlüssel, mit denen ein Verzeichnis der Firma wie Okta oder Entra ID Personen und Gruppen verwaltet (SCIM).',
  add: 'Neuer Schlüssel',
  nameAbout:
    'Kleinbuchstaben, Ziffern und Bindestriche. Schlüssel mit demselben Namen teilen sich Personen und Gruppen.',
  otherName: 'Der Name enthält andere Zeichen.',
  address: 'Basis-URL',
  key: 'Schlüssel des Verzeichnisses',
  shownAbout: 'Kopiere den Schlüssel jetzt: Er wird nicht noch einmal angezeigt.',
  created: 'Erstellt',
  used: 'Zuletzt benutzt',
  notUsed: 'Nie',
  revoke: 'Widerrufen',
  revokeAbout: (name: string) =>
    `„${name}“ kann den Schlüssel nicht mehr benutzen. Personen und Gruppen bleiben, wie sie sind.`,
};

export const audit = {
  title: 'Protokoll',
  about: 'Änderungen an Konten, Kanälen, Gruppen, Einstellungen und am Server.',
  from: 'IP-Adresse',
  filters: { actor_id: 'Von', target_user_id: 'Betroffene Person' },
  yes: 'ja',
  no: 'nein',
};

export const health = {
  title: 'Zustand',
  attention: '(Achtung)',
  server: 'Server',
  ready: (since: string) => `bereit, gestartet ${since}`,
  nodes: (count: number) => (count === 1 ? '1 Knoten' : `${count} Knoten`),
  database: 'Datenbank',
  answers: (engine: string, ms: string, bytes: string) => `${engine}, ${bytes}, antwortet in ${ms} ms`,
  disk: 'Speicherplatz',
  free: (free: string, total: string) => `${free} von ${total} frei`,
  backup: 'Letzte Sicherung',
  noBackup: 'Noch keine. Führe npx parley backup aus.',
  memory: 'Arbeitsspeicher',
  clients: 'Clients',
  queues: (queues: string, polls: string) => `${queues} Ereigniswarteschlangen, ${polls} warten`,
  writes: 'Schreibvorgänge',
  waiting: (count: string) => `${count} wartend`,
  events: 'Ereignisse',
  kept: (kept: string, lag: string) => `${kept} gespeichert, ${lag} ungelesen`,
  jobs: 'Aufträge',
  jobCounts: (waiting: string, failed: string) => `${waiting} wartend, ${failed} fehlgeschlagen`,
  signIns: 'Anmeldungen',
  failures: (failed: string, throttled: string) => `${failed} fehlgeschlagen, ${throttled} gebremst`,
  routes: 'Langsamste Routen',
  route: 'Route',
  mean: 'Mittel (ms)',
  p95: 'p95 (ms)',
  requests: 'Anfragen',
  drawn: 'Vergleich',
  kind: 'Art',
  isWaiting: 'Wartend',
  isDone: 'Erledigt',
  hasFailed: 'Fehlgeschlagen',
  configuration: 'Konfiguration',
  variable: 'Variable',
  value: 'Wert',
  secret: 'gesetzt (verborgen)',
  meaning: 'Bedeutung',
};

export const groups = {
  about:
    'Eine Linie führt von einer Gruppe zu ihrer Untergruppe. Mitglieder der Untergruppe gehören auch zur Gruppe.',
  graph: 'Gruppen und Untergruppen',
  withRoles: 'Rollengruppen anzeigen',
  inside: 'Untergruppen',
  addInside: 'Untergruppe hinzufügen',
  add: 'Gruppe anlegen',
  tabs: { members: 'Mitglieder', permissions: 'Rechte', general: 'Allgemein' },
  deactivateAbout: (name: string) =>
    `${name} kann erst nach einer Reaktivierung wieder benutzt werden. Die Mitglieder bleiben erhalten.`,
  reactivateAbout: (name: string) => `${name} kann wieder benutzt werden, mit denselben Mitgliedern.`,
  change: 'Auswählen …',
  choose: 'Gruppe oder Person hinzufügen',
  chooseRole: 'Rolle auswählen',
  roles: 'Nach Rolle',
  groups: 'Gruppen',
  people: 'Personen',
  unknown: 'Verborgene Gruppe',
  fixed: 'Die Mitgliedschaft ergibt sich aus den Rollen.',
  system: {
    'role:internet': 'Alle im Internet',
    'role:everyone': 'Alle, auch Gäste',
    'role:members': 'Mitglieder',
    'role:fullmembers': 'Vollmitglieder',
    'role:moderators': 'Moderatoren',
    'role:administrators': 'Administratoren',
    'role:owners': 'Eigentümer',
    'role:nobody': 'Niemand',
  },
};

export const noneYet = {
  bots: 'Noch keine Bots',
  emoji: 'Noch keine eigenen Emojis',
  linkifiers: 'Noch keine Linkmuster',
  exports: 'Noch keine Exporte',
  directories: 'Noch keine Schlüssel',
  groups: 'Noch keine Gruppen',
  invitations: 'Keine offenen Einladungen. Lade jemanden ein, um sie hier zu sehen.',
};
