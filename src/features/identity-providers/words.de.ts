/** The texts of `words.ts` in German. */
export const back = 'Zurück zur Anmeldung';

export const failed = {
  title: 'Anmeldung fehlgeschlagen',
  unknown: 'Diese Art der Anmeldung gibt es hier nicht.',
  otp: 'Ungültiger Einmalschlüssel der App',
  bothOtps: 'mobile_flow_otp und desktop_flow_otp schließen einander aus.',
  byProvider: (provider: string) =>
    `Die Anmeldung mit ${provider} hat nicht geklappt. Versuche es noch einmal.`,
  away: (provider: string) => `${provider} ist gerade nicht erreichbar. Versuche es später noch einmal.`,
  notVerified: (provider: string) =>
    `${provider} hat deine E-Mail-Adresse nicht bestätigt. Bitte die Administratoren um Hilfe.`,
  notLinked: (email: string) => `Das Konto ${email} ist nicht mit dieser Art der Anmeldung verbunden.`,
  notLinkedAdvice: 'Melde dich mit deinem Passwort an, oder bitte den Betreiber dieses Servers um Hilfe.',
  deactivated: (email: string) =>
    `Dein Konto ${email} wurde deaktiviert. Nur die Administratoren deiner Organisation können es wieder aktivieren.`,
  noFactor:
    'Deine Organisation verlangt einen zweiten Faktor, nach dem die App nicht fragen kann. Melde dich im Browser an.',
  closed: 'Diese Organisation wurde deaktiviert.',
};

export const notFound = {
  title: 'Konto nicht gefunden',
  about: (email: string) => `Es gibt kein Konto mit der Adresse ${email}.`,
  advice: 'Bitte die Administratoren um ein Konto.',
};

export const ownersOnly = {
  title: 'Melde dich als Eigentümer an',
  about: 'Nur Eigentümer der Organisation können sehen, was ein Anbieter über jemanden sagt.',
};

export const inApp = {
  title: 'App öffnen',
  about: (name: string) => `Du bist als ${name} angemeldet.`,
  action: 'In der App weitermachen',
};

export const desktop = {
  title: 'Anmeldung in der App abschließen',
  about: 'Melde dich im Browser an, komm dann hierher zurück und füge den Anmeldecode ein.',
  field: 'Anmeldecode',
  problem: 'Falscher Code.',
  insecure: 'Die Anmeldung braucht hier eine sichere Verbindung: Die Adresse muss mit https beginnen.',
  action: 'Abschließen',
  again: 'Browser noch einmal öffnen',
  copy: 'Kopiere diesen Anmeldecode und kehre in die App zurück, um die Anmeldung abzuschließen:',
  copyAction: 'Kopieren',
  copied: 'Kopiert. Du kannst dieses Fenster schließen.',
  over: 'Diese Anmeldung ist ungültig oder abgelaufen.',
  logIn: 'Anmelden',
};

export const claimed = {
  title: (provider: string) => `Angaben von ${provider}`,
  here: 'In Parley',
  verified: 'E-Mail-Adresse gilt als bestätigt',
  role: 'Rolle eines neuen Kontos',
  roles: {
    owner: 'Eigentümer',
    administrator: 'Administrator',
    moderator: 'Moderator',
    member: 'Mitglied',
    guest: 'Gast',
  },
  factor: 'Zweiter Faktor gezeigt',
  groups: 'Benutzergruppen',
  yes: 'ja',
  no: 'nein',
  unchanged: 'unverändert: keine solche Angabe',
  none: 'keine',
};
