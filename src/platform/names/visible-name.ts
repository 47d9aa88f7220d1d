/**
 * Rules for names of people, channels, topics, groups, folders and the like: no invisible characters, and one spelling
 * (NFC), so that names do not differ in encoding alone. Look-alike letters of other scripts stay.
 */

/** Control characters, lone surrogates, line breaks and the code points that are defined to be no characters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/**
 * Invisible characters: fillers, direction marks, annotation marks, and the blank Braille pattern, which is no space by
 * its properties.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Spaces, whatever their width. */
const SPACES = /\p{Zs}+/gu;

/** Marks that belong to no letter: they would be seen on whatever stands before the name. */
const LEADING_MARKS = /^\s*\p{M}[\s\p{M}]*/u;

/** Scripts in which joiners change how a word looks. */
const JOINING = [
  [
    'Arabic',
    'Syriac',
    'Mandaic',
    'Nko',
    'Adlam',
    'Hanifi_Rohingya',
    'Mongolian',
    'Tibetan',
    'Khmer',
    'Myanmar',
  ],
  [
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
  ],
]
  .flat()
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** An emoji with its variation selectors, joined to others, or with the tags that make a flag. */
const EMOJI = [
  String.raw`[#*0-9]\ufe0f?\u20e3`,
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`,
  String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f\p{EMod}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{EMod}]?)*`,
];

/** Where a character that is hidden by itself has a part in what one sees. */
const VISIBLE_TOGETHER = new RegExp(
  [
    ...EMOJI,
    String.raw`(?<=[${JOINING}]\p{M}{0,4})[\u200c\u200d](?=[${JOINING}])`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
    String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  ].join('|'),
  'gu',
);

/** The one form of a name: characters composed, one ordinary space for all spaces in a row, and none around it. */
export function composedName(name: string): string {
  return name.trim().replace(SPACES, ' ').normalize('NFC');
}

/** The place of the first character that names may not hold, counted from 1 in code points; 0 if there is none. */
export function forbiddenPlace(name: string): number {
  if (LEADING_MARKS.test(name)) return 1;
  return (
    Array.from(shown(name)).findIndex((character) => FORBIDDEN.test(character) || HIDDEN.test(character)) + 1
  );
}

/** The same of what cannot be shown at all, for names from which hidden characters are taken instead. */
export function unprintablePlace(name: string): number {
  return Array.from(name).findIndex((character) => FORBIDDEN.test(character)) + 1;
}

/** The name without hidden characters. */
export function withoutHidden(name: string): string {
  if (!HIDDEN.test(name)) return name;
  const marks = Array.from(shown(name));
  return Array.from(name)
    .filter((_, place) => !HIDDEN.test(marks[place] ?? ''))
    .join('');
}

/** The name without marks that belong to no letter. */
export function withoutLeadingMarks(name: string): string {
  return name.replace(LEADING_MARKS, '');
}

/** The name with a letter in place of each character of a sequence that is seen. */
function shown(name: string): string {
  return name.replace(VISIBLE_TOGETHER, (sequence) => 'x'.repeat(Array.from(sequence).length));
}
