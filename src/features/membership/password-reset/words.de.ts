/** The texts of `words.ts` in German. */
export const request = {
  title: 'Passwort vergessen?',
  about: 'Gib die E-Mail-Adresse deines Kontos ein, um einen Link für ein neues Passwort zu erhalten.',
  email: 'E-Mail-Adresse',
  action: 'Link senden',
  byNoMail:
    'Dieser Server verschickt keine E-Mails. Bitte die Administratoren, dein Passwort zurückzusetzen.',
};

export const requested = {
  title: 'Sieh in deinen E-Mails nach',
  about:
    'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link für ein neues Passwort unterwegs. Er gilt eine Stunde lang.',
  advice:
    'Wenn nichts ankommt, sieh im Spam-Ordner nach, oder frage die Administratoren, welche Adresse dein Konto hat.',
};

export const change = {
  title: 'Neues Passwort',
  about: (email: string) => `Wähle ein neues Passwort für ${email}.`,
  password: 'Neues Passwort',
  action: 'Passwort ändern',
  apps: 'Apps bleiben angemeldet, weil sie deinen API-Schlüssel verwenden. Wenn jemand anderes dein altes Passwort kennen könnte, erzeuge in den Einstellungen auch einen neuen API-Schlüssel.',
};

export const changed = {
  title: 'Passwort geändert',
  about: 'Melde dich von jetzt an mit dem neuen Passwort an.',
  signIn: 'Anmelden',
};

export const over = {
  title: 'Dieser Link funktioniert nicht',
  about:
    'Der Link wurde schon verwendet, ist abgelaufen oder unvollständig. Du kannst einen neuen anfordern.',
};
