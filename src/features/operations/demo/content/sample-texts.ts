/** First names of the sample people. */
export const FIRST_NAMES = (
  'Ada Ben Clara Daniel Elif Farid Grace Hana Ivan Julia Kofi Lena Mateo Nora Omar Priya Quentin Rosa Samir Tara ' +
  'Ulrich Vera Wen Ximena Yusuf Zoe Amir Bianca Chidi Dora Emil Freya Gustav Helene Ines Jonas Karin Luca Mira Nils'
).split(' ');

/** Last names of the sample people. */
export const LAST_NAMES = (
  'Adler Bauer Costa Diaz Eriksen Fischer Garcia Haddad Ito Jensen Kim Lopez Moreau Nowak Okafor Patel Quinn Rossi ' +
  'Sato Tanaka Ueda Vogel Weber Xu Yilmaz Zhang Brandt Cohen Dubois Engel Fontaine Green Horvat Ivanov'
).split(' ');

/** Teams; each becomes a folder and a user group. */
export const TEAMS = ['engineering', 'design', 'support', 'sales', 'operations', 'people'] as const;

/** Sample channels; the descriptions are Markdown. */
export const CHANNELS = [
  {
    name: 'announcements',
    about: 'News for **everybody**. Please keep the chatter elsewhere.',
    isPrivate: false,
  },
  { name: 'backend', about: 'The server, its database and what goes wrong with them.', isPrivate: false },
  { name: 'web app', about: 'What runs in the browser.', isPrivate: false },
  { name: 'design review', about: 'Show what you have while it can still change.', isPrivate: false },
  { name: 'customer questions', about: 'What people ask us, and what we answered.', isPrivate: false },
  { name: 'lunch', about: 'Where, and when?', isPrivate: false },
  { name: 'releases', about: 'What goes out, when, and who looks after it.', isPrivate: false },
  { name: 'hiring', about: 'Candidates and interviews.', isPrivate: true },
  { name: 'incidents', about: 'Something is on fire. One topic for each fire.', isPrivate: false },
  { name: 'books', about: 'What we are reading.', isPrivate: false },
  { name: 'finance', about: 'Budgets and invoices.', isPrivate: true },
  { name: 'mobile', about: 'The apps for telephones.', isPrivate: false },
  { name: 'documentation', about: 'If it is not written down, it does not exist.', isPrivate: false },
  { name: 'office', about: 'Keys, plants, the coffee machine.', isPrivate: false },
  { name: 'learning', about: 'Courses, talks and things we found out.', isPrivate: false },
] as const;

/** Names of sample topics, used in all channels. */
export const TOPICS = (
  'slow search|next release|flaky tests|new logo|login page|invoice export|weekly plan|time zones|dark mode|' +
  'database upgrade|feedback from the trade fair|Friday demo|onboarding|retrospective|API limits|translations|' +
  'broken links|holiday calendar|backup drill|keyboard shortcuts|accessibility|price list|team lunch|new laptop'
).split('|');

/** `{name}` is replaced with a person, `{n}` with a number. */
export const OPENINGS = [
  'Has anybody looked into this yet? I see it about {n} times a day.',
  'I wrote down what we know so far:\n\n* it started last week\n* it happens to about {n} people\n* nobody changed anything, of course',
  'Here is a first draft. What do you think, {name}?',
  'Quick question: do we still need this?',
  'I would like to do this **before** the next release. Any objections?',
  'Numbers from yesterday: {n} requests, two of them slow.',
] as const;

/** Answers to the openings; `{name}` is replaced with a person, `{n}` with a number. */
export const ANSWERS = [
  'Good idea.',
  'I can take that on.',
  'Not before Thursday, I am afraid.',
  '{name}, did you not have something like this last month?',
  'It works on my machine :smile:',
  'Let us try it with `--verbose` first.',
  'Done. Could you have a look, {name}?',
  '> Do we still need this?\n\nYes, {n} people use it every week.',
  'I agree with everything but the last point.',
  'The log says:\n\n```\nretry {n} of 500, waiting\n```',
  'That is *much* better than what we had.',
  'Thank you!',
  'Shall we talk about it tomorrow at 10?',
  'See https://example.com/tickets/{n} for the details.',
  'I tried it twice. The second time it took {n} seconds.',
  '/me makes more coffee',
] as const;

/** Reports of sample bots; `{n}` is replaced with a number. */
export const BUILD_REPORTS = [
  'Build {n}: **passed** in 4 minutes.',
  'Build {n}: **failed** in `npm test`.',
  'Deployed build {n}.',
] as const;

/** Texts of sample statuses. */
export const STATUSES = [
  'In a meeting',
  'Working from home',
  'On holiday until Monday',
  'Reading',
  'At lunch',
] as const;

/** Names of the emoji in sample reactions. */
export const EMOJI = ['thumbs_up', 'heart', 'tada', 'smile', 'eyes', 'rocket', 'check'] as const;

/** Pseudo-random numbers that only depend on the seed (mulberry32). */
export class SeededRandom {
  constructor(private state: number) {}

  /** At least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True with the given probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** Some of the entries, in any order. */
  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [taken] = left.splice(Math.floor(this.next() * left.length), 1);
      return taken as T;
    });
  }
}
