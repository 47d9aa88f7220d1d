/** The texts of `words.ts` in German. */

export const title = 'Emojis';
export const search = 'Emojis suchen';
export const results = 'Suchergebnisse';
export const nothingFound = 'Keine Emojis gefunden';
export const categories = 'Kategorien';
export const tones = 'Hautton';
export const toneNames = ['Ohne', 'Hell', 'Mittelhell', 'Mittel', 'Mitteldunkel', 'Dunkel'];

export const sections = {
  recent: 'Zuletzt benutzt',
  custom: 'Eigene',
  smileys: 'Smileys und Gefühle',
  people: 'Menschen und Körper',
  nature: 'Tiere und Natur',
  food: 'Essen und Trinken',
  travel: 'Reisen und Orte',
  activities: 'Aktivitäten',
  objects: 'Gegenstände',
  symbols: 'Symbole',
  flags: 'Flaggen',
};
