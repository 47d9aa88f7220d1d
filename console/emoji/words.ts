/** The texts of the emoji picker, which are loaded with it. */

export const title = 'Emoji';
export const search = 'Search emoji';
export const results = 'Search results';
export const nothingFound = 'No emoji found';
export const categories = 'Categories';
export const tones = 'Skin tone';
export const toneNames = ['Default', 'Light', 'Medium-light', 'Medium', 'Medium-dark', 'Dark'];

export const sections = {
  recent: 'Recently used',
  custom: 'Custom',
  smileys: 'Smileys and emotion',
  people: 'People and body',
  nature: 'Animals and nature',
  food: 'Food and drink',
  travel: 'Travel and places',
  activities: 'Activities',
  objects: 'Objects',
  symbols: 'Symbols',
  flags: 'Flags',
};
