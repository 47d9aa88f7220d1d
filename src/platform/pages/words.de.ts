/** The texts of `words.ts` in German. */
export const passwordHint = (length: number) =>
  `Mindestens ${length} Zeichen. Vermeide gängige Wörter, Namen und Muster.`;

export const tooMany = {
  title: 'Zu viele Versuche',
  about: 'Zu viele Versuche aus deinem Netzwerk. Versuche es in ein paar Minuten noch einmal.',
};

export const failed = {
  title: 'Etwas ist schiefgegangen',
  about: 'Der Server konnte deine Anfrage nicht ausführen. Versuche es gleich noch einmal.',
};

export const refusals = {
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse ein.',
  'Email is already in use.':
    'Diese E-Mail-Adresse wird schon verwendet, vielleicht von einem deaktivierten Konto. Wähle eine andere.',
  EmailDomainNotAllowed: 'Diese E-Mail-Adresse ist in dieser Organisation nicht erlaubt.',
  'Email addresses containing + are not allowed.': 'E-Mail-Adressen mit + sind nicht erlaubt.',
  'Disposable email addresses are not allowed in this organization':
    'Wegwerf-Adressen sind in dieser Organisation nicht erlaubt.',
  'Name too long!': 'Der Name ist zu lang.',
  'Name too short!': 'Der Name ist zu kurz.',
  'Invalid characters in name!': 'Der Name enthält ungültige Zeichen.',
  'Invalid format!': 'Dieser Name ist nicht erlaubt.',
  'Unique names required in this organization.':
    'Jemand in dieser Organisation heißt schon so. Wähle einen anderen Namen.',
  'The password is too weak.':
    'Das Passwort ist zu schwach. Wähle ein längeres und vermeide gängige Wörter, Namen und Muster.',
  'Incorrect email or password': 'E-Mail-Adresse oder Passwort ist falsch.',
  'Account is deactivated': 'Das Konto ist deaktiviert.',
  'The role of this account is unknown': 'Die Rolle dieses Kontos ist unbekannt.',
  'Password authentication is disabled in this organization':
    'Die Anmeldung mit Passwort ist in dieser Organisation abgeschaltet.',
  'The code is wrong, or was used before': 'Der Code ist falsch oder wurde schon verwendet.',
  'This passkey was not accepted.': 'Dieser Passkey wurde nicht angenommen.',
  'This passkey was not accepted': 'Dieser Passkey wurde nicht angenommen.',
  'A second factor is already set up.': 'Ein zweiter Faktor ist schon eingerichtet.',
  'No second factor is set up.': 'Es ist kein zweiter Faktor eingerichtet.',
  'Your organization’s directory can’t be reached at the moment. Please try again later.':
    'Das Verzeichnis deiner Organisation ist gerade nicht erreichbar. Versuche es später noch einmal.',
  'This organization has been deactivated': 'Diese Organisation wurde deaktiviert.',
  'Page not found': 'Seite nicht gefunden',
  'Insufficient permission': 'Keine Berechtigung',
  RequestForged:
    'Dieses Formular kam nicht von einer Seite dieses Servers. Geh zurück, lade die Seite neu und versuche es noch einmal.',
};
