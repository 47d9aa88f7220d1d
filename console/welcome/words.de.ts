/** The texts of `words.ts` in German. */

export const steps = {
  organization: { title: 'Deine Organisation', about: 'Was andere beim Anmelden sehen.' },
  you: { title: 'Du', about: 'Was andere von dir sehen.' },
  channels: {
    title: 'Kanäle',
    about: 'Alle beginnen in #general. Füge weitere hinzu, oder ändere diese Namen.',
  },
  invite: {
    title: 'Personen einladen',
    about: 'Per E-Mail, oder mit einem Link, den mehrere Personen verwenden können.',
  },
};

export const progress = (step: number, count: number) => `Schritt ${step} von ${count}`;
export const name = 'Name der Organisation';
export const channel = (number: number) => `Kanal ${number}`;
export const suggestions = ['ankündigungen', 'ideen', 'plauderei'];
export const link = 'Link erstellen';
export const linkLabel = 'Einladungslink';
export const invited = 'Einladungen erstellt';
export const skip = 'Überspringen';
export const proceed = 'Weiter';
export const finish = 'Fertig';
