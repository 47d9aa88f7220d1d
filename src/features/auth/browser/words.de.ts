/** The texts of `words.ts` in German. */
export const signIn = {
  title: 'Anmelden',
  byEmail: 'Melde dich mit deiner E-Mail-Adresse und deinem Passwort an.',
  byName: 'Melde dich mit deiner E-Mail-Adresse oder deinem Benutzernamen und deinem Passwort an.',
  email: 'E-Mail-Adresse',
  emailOrName: 'E-Mail-Adresse oder Benutzername',
  password: 'Passwort',
  action: 'Anmelden',
  forgot: 'Passwort vergessen?',
  with: (provider: string) => `Weiter mit ${provider}`,
  throttled: (minutes: string) => `Zu viele Fehlversuche. Versuche es in ${minutes} noch einmal.`,
};

export const code = {
  title: 'Anmelden',
  about: 'Gib den Code aus deiner Authenticator-App oder einen Wiederherstellungscode ein.',
  label: 'Code',
  action: 'Anmelden',
  browser: 'Dieser Browser',
  remember: 'Hier 30 Tage lang nicht nach einem Code fragen',
  again: 'Von vorn beginnen',
  over: 'Das hat zu lange gedauert. Melde dich noch einmal an.',
};

export const passkey = {
  signIn: 'Mit Passkey anmelden',
  action: 'Passkey verwenden',
  add: 'Passkey einrichten',
  name: 'Passkey',
  unused: 'Es wurde kein Passkey verwendet. Versuche es noch einmal, oder melde dich anders an.',
  failed: 'Das hat nicht geklappt. Versuche es gleich noch einmal, oder melde dich anders an.',
};

export const setUp = {
  title: 'Zweiten Faktor einrichten',
  about:
    'Deine Organisation verlangt einen zweiten Faktor: einen Passkey oder einen Code aus einer Authenticator-App auf deinem Telefon oder Computer.',
  action: 'Authenticator-App einrichten',
  key: 'Füge in deiner Authenticator-App ein Konto mit diesem Schlüssel hinzu:',
  open: 'In einer App auf diesem Gerät öffnen',
  confirmation: 'Gib dann den Code ein, den die App anzeigt.',
  confirm: 'Bestätigen',
  signInFirst:
    'Deine Organisation verlangt einen zweiten Faktor. Melde dich noch einmal an, um ihn einzurichten.',
};

export const recovery = {
  title: 'Bewahre deine Wiederherstellungscodes auf',
  about:
    'Mit jedem dieser Codes kannst du dich einmal anmelden, wenn du deine Authenticator-App verlierst. Sie werden nur jetzt angezeigt: Bewahre sie getrennt von der App auf.',
  action: 'Weiter',
};

export const first = {
  title: 'Willkommen',
  about: (email: string) =>
    `Dieser neue Server gehört dir, und du meldest dich als ${email} an. Wähle ein Passwort anstelle dessen, das beim Start angezeigt wurde.`,
  name: 'Dein Name',
  organization: 'Name deiner Organisation',
  password: 'Passwort',
  action: 'Passwort setzen und anmelden',
  over: 'Dieser Link funktioniert nicht',
  overAbout: 'Der Link wurde schon verwendet, ist älter als 30 Minuten oder unvollständig.',
  signIn: 'Mit Passwort anmelden',
};

export const home = {
  title: 'Parley',
  about:
    'Dies ist ein Chat-Server für Teams. Melde dich hier an, oder verwende ein Zulip-Programm mit der Adresse dieses Servers, deiner E-Mail-Adresse und deinem Passwort.',
  signIn: 'Anmelden',
  signedIn: (name: string) => `Du bist als ${name} angemeldet.`,
  signOut: 'Abmelden',
  developers: 'Für Entwickler:',
  reference: 'API-Referenz',
};

export const signedOut = {
  title: 'Abgemeldet',
  about: 'Du bist hier abgemeldet.',
  action: (provider: string) => `Auch bei ${provider} abmelden`,
};
