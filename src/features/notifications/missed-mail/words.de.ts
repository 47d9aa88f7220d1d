/** The texts of `words.ts` in German. */
export const unsubscribing = {
  title: 'Abbestellen',
  about: (email: string) => `Keine E-Mails über verpasste Nachrichten mehr an ${email} senden?`,
  action: 'Abbestellen',
  done: 'Abbestellt',
  doneAbout:
    'Du bekommst keine E-Mails über verpasste Nachrichten mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
  over: 'Dieser Link funktioniert nicht',
  overAbout:
    'Der Link ist unvollständig, oder das Konto hat jetzt eine andere Adresse. Melde dich an, um deine E-Mail-Einstellungen zu ändern.',
};
