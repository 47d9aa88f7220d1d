/** The texts of `words.ts` in German. */

export const poll = {
  label: 'Umfrage',
  create: 'Umfrage erstellen',
  question: 'Frage',
  noQuestion: 'Umfrage ohne Frage',
  editQuestion: 'Frage bearbeiten',
  options: 'Antworten',
  optionsAbout: 'Eine pro Zeile. Alle können weitere hinzufügen.',
  vote: (option: string, count: number) =>
    `Für ${option} stimmen, ${count === 1 ? '1 Stimme' : `${count} Stimmen`}`,
  newOption: 'Neue Antwort',
  add: 'Antwort hinzufügen',
};

export const todo = {
  label: 'Aufgabenliste',
  create: 'Aufgabenliste erstellen',
  title: 'Titel',
  noTitle: 'Aufgabenliste',
  editTitle: 'Titel bearbeiten',
  tasks: 'Aufgaben',
  tasksAbout:
    'Eine pro Zeile, mit einer Beschreibung nach einem Doppelpunkt. Alle können weitere hinzufügen.',
  newTask: 'Neue Aufgabe',
  description: 'Beschreibung',
  add: 'Aufgabe hinzufügen',
};
