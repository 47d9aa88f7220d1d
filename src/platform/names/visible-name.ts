/**
 * Rules for names of people, channels, topics, groups, folders and the like: no invisible characters, and one spelling
 * (NFC), so that names do not differ in encoding alone. Look-alike letters of other scripts stay.
 */

/** Control characters, lone surrogates, line breaks and noncharacters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/**
 * Invisible characters: fillers, direction marks, annotation marks, and the blank Braille pattern, which Unicode does
 * not class as a space.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Spaces of any width. */
const SPACES = /\p{Zs}+/gu;

/** Combining marks without a base letter: they would attach to the text before the name. */
const LEADING_MARKS = /^\s*\p{M}[\s\p{M}]*/u;

/** Scripts in which joiners affect how a word looks. */
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

/** An emoji with variation selectors, joined to others, or with the tags of a flag. */
const EMOJI = [
  String.raw`[#*0-9]\ufe0f?\u20e3`,
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`,
  String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f\p{EMod}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{EMod}]?)*`,
];

/** Sequences in which an otherwise hidden character is visible. */
const VISIBLE_TOGETHER = new RegExp(
  [
    ...EMOJI,
    String.raw`(?<=[${JOINING}]\p{M}{0,4})[\u200c\u200d](?=[${JOINING}])`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
    String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  ].join('|'),
  'gu',
);

/** The normalized form of a name: composed characters, single ordinary spaces, and none at either end. */
export function composedName(name: string): string {
  return name.trim().replace(SPACES, ' ').normalize('NFC');
}

/** The position of the first forbidden character, counted from 1 in code points; 0 if there is none. */
export function forbiddenPlace(name: string): number {
  if (LEADING_MARKS.test(name)) return 1;
  return (
    Array.from(shown(name)).findIndex((character) => FORBIDDEN.test(character) || HIDDEN.test(character)) + 1
  );
}

/** The same for characters that cannot be shown at all, for names from which hidden characters are removed. */
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

/** The name without leading combining marks. */
export function withoutLeadingMarks(name: string): string {
  return name.replace(LEADING_MARKS, '');
}

/** The name with each visible sequence replaced by a letter. */
function shown(name: string): string {
  return name.replace(VISIBLE_TOGETHER, (sequence) => 'x'.repeat(Array.from(sequence).length));
}
