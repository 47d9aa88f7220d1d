/** The texts of `words.ts` in German. */
export const join = {
  title: (organization: string) => `${organization} beitreten`,
  about: (inviter: string, organization: string) => `${inviter} hat dich zu ${organization} eingeladen.`,
  email: 'E-Mail-Adresse',
  emailHint: 'Mit ihr meldest du dich an.',
  name: 'Dein Name',
  nameHint: 'Steht neben deinen Nachrichten.',
  password: 'Passwort',
  interests: 'Was interessiert dich?',
  action: 'Beitreten',
};

export const joined = {
  title: (organization: string) => `Willkommen bei ${organization}`,
  about: 'Dein Konto ist bereit.',
  inApps: (site: string, email: string) =>
    `Um dich mit einer App anzumelden, gib die Server-Adresse ${site}, deine E-Mail-Adresse ${email} und dein Passwort ein.`,
};

export const unknown = {
  title: 'Einladung nicht gefunden',
  about: 'Prüfe, ob der Link vollständig ist, oder bitte um eine neue Einladung.',
};

export const over = {
  title: 'Diese Einladung gilt nicht mehr',
  about: 'Sie wurde schon verwendet oder widerrufen, oder sie ist zu alt.',
  advice: 'Wenn du schon ein Konto hast, melde dich an. Bitte sonst um eine neue Einladung.',
};
