import { type Matcher, RE2JS, RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js';
import type { UrlTemplate } from './url-template';
import type { LinkFinder, LinkMatch } from '../../messages/messages.module';

/** What may precede a match: the start of the text, white space, or an opening character. */
const BEFORE = String.raw`(?:\A|[\s\x{85}\pZ'"(,:<])`;
/** What may follow a match: neither a letter nor a digit. */
const BEHIND = String.raw`[^\pL\pN]`;

/** Maximum length of a match that is always found, in UTF-16 units. */
export const LONGEST_PLACE = 256;
/** The window of one search: matches that start in its first half end within it. */
const WINDOW = 2 * LONGEST_PLACE + 2;
/** Maximum number of matches in one text. */
export const MAX_PLACES = 1000;

/** Maximum size of a compiled pattern, in instructions; ordinary ones have twenty. */
const MAX_PATTERN_SIZE = 500;

/** Why a text is not a valid pattern, in RE2's words. */
export class BadPattern extends Error {}

/** The texts of a pattern's named groups; null for groups that did not participate. */
type NamedGroups = Readonly<Record<string, string | null>>;

/** A match in a text, without the characters before and after it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly groups: NamedGroups;
}

/** A regular expression in RE2 syntax, in which every search is linear in the text. */
export class LinkifierPattern {
  /** Names of its named groups. */
  readonly groups: ReadonlySet<string>;
  private compiledInside: RE2JS | undefined;

  private constructor(
    readonly source: string,
    private readonly plain: RE2JS,
    private readonly atEnd: RE2JS,
  ) {
    this.groups = new Set(Object.keys(plain.namedGroups()));
  }

  /** @throws BadPattern */
  static compile(source: string): LinkifierPattern {
    try {
      const plain = RE2JS.compile(source);
      if (plain.programSize() > MAX_PATTERN_SIZE) throw new BadPattern('pattern too large - compile failed');
      // May fail for a pattern that is valid by itself: \Q quotes everything after it, including the closing
      // parenthesis.
      return new LinkifierPattern(
        source,
        plain,
        RE2JS.compile(delimited(source, String.raw`(?:\z|${BEHIND})`)),
      );
    } catch (error) {
      if (error instanceof RE2JSException) throw new BadPattern(inWordsOfRe2(error));
      throw error;
    }
  }

  /** Size of the compiled pattern in instructions; memory and search time grow with it. */
  get size(): number {
    return this.plain.programSize();
  }

  /** The named groups of the first match anywhere in the text. */
  find(text: string): NamedGroups | null {
    const matcher = this.plain.matcher(text);
    return matcher.find() ? this.groupsOf(matcher) : null;
  }

  /**
   * The matches, in order and without overlap. The character after one match may be the one before the next.
   *
   * Finding the first match takes linear time; finding all of them may not, since a search may read on to the end of
   * the text and return a short match after all. So each search reads only a window.
   */
  *places(text: string): Iterable<Place> {
    let from = 0;
    for (let found = 0; found < MAX_PLACES && from < text.length;) {
      const end = windowEnd(text, from);
      // Includes one more character on the left, for ^ and \b.
      const begin = Math.max(0, from - 1);
      const matcher = (end === text.length ? this.atEnd : this.inside).matcher(text.slice(begin, end));
      if (!matcher.find(from - begin)) {
        if (end === text.length) return;
        from = end - LONGEST_PLACE;
        continue;
      }
      const place = { start: begin + matcher.start(1), end: begin + matcher.end(1) };
      if (end < text.length && place.start - from > LONGEST_PLACE) {
        // The match may continue beyond the window.
        from = begin + matcher.start();
      } else if (place.end === place.start) {
        from = Math.max(place.end, from + 1);
      } else {
        found++;
        from = place.end;
        yield { ...place, groups: this.groupsOf(matcher) };
      }
    }
  }

  /** For windows before the last: they do not end with the text, so a character has to follow the match. */
  private get inside(): RE2JS {
    return (this.compiledInside ??= RE2JS.compile(delimited(this.source, BEHIND)));
  }

  private groupsOf(matcher: Matcher): NamedGroups {
    return Object.fromEntries([...this.groups].map((name) => [name, matcher.group(name)]));
  }
}

/** What a match of the source starts with; less precise than the whole pattern, but faster. */
function openedBy(source: string): string {
  return `${BEFORE}(?:${source})`;
}

function delimited(source: string, behind: string): string {
  return `${BEFORE}(${source})${behind}`;
}

/** Avoids splitting a surrogate pair. */
function windowEnd(text: string, from: number): number {
  const end = from + WINDOW;
  if (end >= text.length) return text.length;
  return text.codePointAt(end - 1)! > 0xffff ? end + 1 : end;
}

/** RE2's texts for errors that its port words differently. */
const WORDS_OF_RE2: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'trailing backslash at end of expression': 'trailing \\',
  'invalid named capture': 'invalid named capture group',
  'duplicate capture group name': 'invalid named capture group',
  'expression too large': 'pattern too large - compile failed',
};

function inWordsOfRe2(error: RE2JSException): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message;
  const description = error.getDescription();
  const words = WORDS_OF_RE2[description] ?? description;
  const part = error.getPattern();
  return part ? `${words}: ${part}` : words;
}

/** Maximum length of a link's URL. */
const MAX_URL_LENGTH = 4096;

/** A compiled linkifier. */
export class CompiledLinkifier implements LinkFinder {
  constructor(
    readonly id: number,
    readonly pattern: LinkifierPattern,
    private readonly urlTemplate: UrlTemplate,
  ) {}

  *matches(text: string): Iterable<LinkMatch> {
    for (const { start, end, groups } of this.pattern.places(text)) {
      const url = this.urlTemplate.expand(groups);
      if (url.length <= MAX_URL_LENGTH) yield { start, end, text: text.slice(start, end), url };
    }
  }
}

/**
 * All linkifiers of the organization, in order. A single automaton for all patterns determines in one pass which of
 * them may match a text, so that five hundred cost hardly more than one.
 */
export class LinkifierSet {
  private readonly automaton: RE2Set | null = null;

  constructor(private readonly linkifiers: readonly CompiledLinkifier[]) {
    if (linkifiers.length === 0) return;
    this.automaton = new RE2Set();
    for (const { pattern } of linkifiers) this.automaton.add(openedBy(pattern.source));
    this.automaton.compile();
  }

  /** Linkifiers that may match the text, in order. */
  within(text: string): readonly LinkFinder[] {
    return this.automaton?.match(text).map((at) => this.linkifiers[at]!) ?? [];
  }
}
