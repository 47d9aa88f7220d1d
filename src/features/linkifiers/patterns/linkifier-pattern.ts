import { type Matcher, RE2JS, RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js';
import type { UrlTemplate } from './url-template';
import type { LinkFinder, LinkMatch } from '../../messages/messages.module';

/** What may stand before a place: the start of the text, white space, or a character that opens something. */
const BEFORE = String.raw`(?:\A|[\s\x{85}\pZ'"(,:<])`;
/** What may stand behind: what is neither a letter nor a digit. */
const BEHIND = String.raw`[^\pL\pN]`;

/** Longest place that is found for sure, in UTF-16 units. */
export const LONGEST_PLACE = 256;
/** How far one search looks: from a place that starts half-way to its end. */
const WINDOW = 2 * LONGEST_PLACE + 2;
/** Most places that are found in one text. */
export const MAX_PLACES = 1000;

/** Largest compiled pattern, in instructions; ordinary ones have twenty. */
const MAX_PATTERN_SIZE = 500;

/** Why a text is no pattern, in the words of RE2. */
export class BadPattern extends Error {}

/** What matched the named groups of a pattern; null for those that took no part. */
type NamedGroups = Readonly<Record<string, string | null>>;

/** A place in a text that a pattern matches, without what stands before and behind. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly groups: NamedGroups;
}

/**
 * A regular expression in the dialect of RE2, which has nothing that could take more than time linear in the text
 *.
 */
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
      // A pattern may be whole by itself and not in parentheses: \Q quotes all that follows.
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

  /** Instructions of the compiled pattern, which memory and the time of a search grow with. */
  get size(): number {
    return this.plain.programSize();
  }

  /** The named groups of the first match anywhere in the text. */
  find(text: string): NamedGroups | null {
    const matcher = this.plain.matcher(text);
    return matcher.find() ? this.groupsOf(matcher) : null;
  }

  /**
   * The places that match, in order and without overlap. What stands behind one may stand before the next.
   *
   * Finding the first match takes linear time; finding all of them may not, since a search may read on to the end of
   * the text and settle for a short match after all. So each one reads a window only.
   */
  *places(text: string): Iterable<Place> {
    let from = 0;
    for (let found = 0; found < MAX_PLACES && from < text.length;) {
      const end = windowEnd(text, from);
      // With one character more on the left, so that ^ and \b see what stands there.
      const begin = Math.max(0, from - 1);
      const matcher = (end === text.length ? this.atEnd : this.inside).matcher(text.slice(begin, end));
      if (!matcher.find(from - begin)) {
        if (end === text.length) return;
        from = end - LONGEST_PLACE;
        continue;
      }
      const place = { start: begin + matcher.start(1), end: begin + matcher.end(1) };
      if (end < text.length && place.start - from > LONGEST_PLACE) {
        // It may go on behind the window.
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

  /** For windows that are not the last: their end is none of the text, so something has to stand behind a place. */
  private get inside(): RE2JS {
    return (this.compiledInside ??= RE2JS.compile(delimited(this.source, BEHIND)));
  }

  private groupsOf(matcher: Matcher): NamedGroups {
    return Object.fromEntries([...this.groups].map((name) => [name, matcher.group(name)]));
  }
}

/** What a place that matches the source starts with; says less than the whole pattern, and sooner. */
function openedBy(source: string): string {
  return `${BEFORE}(?:${source})`;
}

function delimited(source: string, behind: string): string {
  return `${BEFORE}(${source})${behind}`;
}

/** Never between the halves of a character. */
function windowEnd(text: string, from: number): number {
  const end = from + WINDOW;
  if (end >= text.length) return text.length;
  return text.codePointAt(end - 1)! > 0xffff ? end + 1 : end;
}

/** What RE2 calls the mistakes that its port has other words for. */
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

/** Longest address that is linked to. */
const MAX_URL_LENGTH = 4096;

/** A linkifier that is ready for use. */
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
 * All linkifiers of the organization, in their order. One automaton made of all patterns tells in a single pass which
 * of them have anything to say about a text, so that five hundred cost a message hardly more than one.
 */
export class LinkifierSet {
  private readonly automaton: RE2Set | null = null;

  constructor(private readonly linkifiers: readonly CompiledLinkifier[]) {
    if (linkifiers.length === 0) return;
    this.automaton = new RE2Set();
    for (const { pattern } of linkifiers) this.automaton.add(openedBy(pattern.source));
    this.automaton.compile();
  }

  /** Those that may match in the text, in their order. */
  within(text: string): readonly LinkFinder[] {
    return this.automaton?.match(text).map((at) => this.linkifiers[at]!) ?? [];
  }
}
