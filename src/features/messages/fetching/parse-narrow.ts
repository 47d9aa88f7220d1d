import { MAX_SEARCH_WORDS, parseSearch, type SearchQuery } from './search';
import { BadRequest } from '../../../platform/errors/shared.errors';
import { BadNarrow, BadNarrowCombination } from '../store/message-records.api';

/** A person as named in a narrow: by address or by ID. */
export type PersonOperand = string | number;

/** Operands of `has`, `in`, `channels` and `is`. */
const HAS_OPERANDS = ['attachment', 'image', 'link', 'reaction'] as const;
const IN_OPERANDS = ['home', 'all'] as const;
export const CHANNELS_OPERANDS = ['public', 'web-public', 'archived'] as const;
const IS_OPERANDS = [
  'dm',
  'starred',
  'unread',
  'mentioned',
  'alerted',
  'followed',
  'muted',
  'resolved',
] as const;

/** One of {@link IS_OPERANDS}. */
export type IsOperand = (typeof IS_OPERANDS)[number];

/** One term of a narrow, with aliases of operators resolved. */
export type NarrowTerm = { readonly negated: boolean } & (
  | { readonly operator: 'channel'; readonly channel: string | number }
  | { readonly operator: 'channels'; readonly kind: (typeof CHANNELS_OPERANDS)[number] }
  | { readonly operator: 'topic'; readonly topic: string }
  | { readonly operator: 'sender' | 'mentions'; readonly person: PersonOperand }
  | {
      readonly operator: 'dm' | 'dm-including' | 'group-dm-with';
      readonly people: readonly PersonOperand[];
      /** The operand as sent, for error messages. */
      readonly operand: string;
    }
  | { readonly operator: 'id' | 'with'; readonly messageId: number }
  | { readonly operator: 'near' }
  | { readonly operator: 'has'; readonly what: (typeof HAS_OPERANDS)[number] }
  | { readonly operator: 'in'; readonly where: (typeof IN_OPERANDS)[number] }
  | { readonly operator: 'is'; readonly what: IsOperand }
  /** The query is null if it contains no word. */
  | { readonly operator: 'search'; readonly query: SearchQuery | null }
);

/**
 * Whether the term may have to be tested against many messages. The other terms name a place whose messages an index
 * returns in order, or messages that the reader received.
 */
export function mayTakeLong(term: NarrowTerm): boolean {
  switch (term.operator) {
    case 'dm':
    case 'id':
    case 'near':
    case 'topic':
    case 'with':
    case 'channel':
      return false;
    case 'in':
      return term.where !== 'all';
    case 'is':
      return term.what !== 'dm' && term.what !== 'unread';
    case 'channels':
    case 'dm-including':
    case 'group-dm-with':
    case 'has':
    case 'mentions':
    case 'search':
    case 'sender':
      return true;
  }
}

/** Combines all searches of a narrow; null if there are none. */
export function searchedFor(terms: readonly NarrowTerm[]): SearchQuery | null {
  const queries = terms.flatMap((term) => (term.operator === 'search' && !term.negated ? term : []));
  if (queries.length === 0) return null;
  return { phrases: queries.flatMap(({ query }) => query?.phrases ?? []) };
}

/** A term whose operand has not been validated. */
interface RawTerm {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

type TermReader = (operand: unknown) => DistributiveOmit<NarrowTerm, 'negated'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const MAX_ID = 2_147_483_647;

/** Longer operands match nothing. */
const MAX_OPERAND_LENGTH = 2000;

/** Maximum number of people in one term. */
const MAX_PEOPLE = 1000;

/** Maximum number of words in all searches of a narrow; each word costs database time. */
const MAX_SEARCHED_WORDS = 2 * MAX_SEARCH_WORDS;

const channel: TermReader = (operand) => ({ operator: 'channel', channel: stringOrInteger(operand) });
const channels: TermReader = (operand) => ({
  operator: 'channels',
  kind: known(CHANNELS_OPERANDS, 'unknown channels operand', string(operand)),
});
const dm: TermReader = (operand) => ({ operator: 'dm', ...people(operand) });
const groupDmWith: TermReader = (operand) => ({
  operator: 'group-dm-with',
  ...people(typeof operand === 'string' ? operand : stringOrInteger(operand)),
});

/** Parsers for operands, by each name of the operator. */
const READERS: ReadonlyMap<string, TermReader> = new Map<string, TermReader>([
  ['channel', channel],
  ['stream', channel],
  ['channels', channels],
  ['streams', channels],
  ['topic', (operand) => ({ operator: 'topic', topic: string(operand).trim().toWellFormed() })],
  ['sender', (operand) => ({ operator: 'sender', person: stringOrInteger(operand) })],
  ['mentions', (operand) => ({ operator: 'mentions', person: stringOrInteger(operand) })],
  ['dm', dm],
  ['pm-with', dm],
  ['pm_with', dm],
  ['dm-including', (operand) => ({ operator: 'dm-including', ...people(operand) })],
  ['group-pm-with', groupDmWith],
  ['group_pm_with', groupDmWith],
  ['id', (operand) => ({ operator: 'id', messageId: messageId(operand, 'Invalid message ID') })],
  ['with', (operand) => ({ operator: 'with', messageId: messageId(operand, "Invalid 'with' operator") })],
  ['near', () => ({ operator: 'near' })],
  [
    'has',
    (operand) => ({ operator: 'has', what: known(HAS_OPERANDS, "unknown 'has' operand", string(operand)) }),
  ],
  [
    'in',
    (operand) => ({ operator: 'in', where: known(IN_OPERANDS, "unknown 'in' operand", string(operand)) }),
  ],
  [
    'is',
    (operand) => {
      const what = string(operand) === 'private' ? 'dm' : string(operand);
      return { operator: 'is', what: known(IS_OPERANDS, "unknown 'is' operand", what) };
    },
  ],
  ['search', (operand) => ({ operator: 'search', query: parseSearch(nonBlank(operand)) })],
]);

/**
 * Parses the terms of a narrow: objects `{operator, operand, negated?}` or pairs `[operator, operand]`. Does not look
 * up channels or people.
 * @throws BadRequest for malformed terms; BadNarrow for impossible ones
 */
export function parseNarrow(narrow: readonly unknown[]): NarrowTerm[] {
  const terms = narrow.map((element, index) => readTerm(toRawTerm(element, index)));
  if (terms.filter((term) => term.operator === 'with').length > 1) {
    throw new BadNarrowCombination("Duplicate 'with' operators.");
  }
  if (terms.some(impliesChannel) && terms.some(impliesDirect)) {
    throw new BadNarrow('No message can be both a channel message and direct message');
  }
  const searched = terms.flatMap((term) => (term.operator === 'search' ? (term.query?.phrases ?? []) : []));
  if (searched.flatMap(({ words }) => words).length > MAX_SEARCHED_WORDS) {
    throw new BadNarrow(`too many words to search for (limit: ${MAX_SEARCHED_WORDS})`);
  }
  return terms;
}

function toRawTerm(element: unknown, index: number): RawTerm {
  const invalid = (reason: string) => new BadRequest(`Invalid narrow[${index}]: Value error, ${reason}`);
  if (Array.isArray(element)) {
    const [operator, operand, ...more] = element as unknown[];
    if (typeof operator !== 'string' || typeof operand !== 'string' || more.length > 0) {
      throw invalid('element is not a string pair');
    }
    return { operator, operand, negated: false };
  }
  if (typeof element !== 'object' || element === null) throw invalid('dict or list required');
  const { operator, operand, negated } = element as Record<string, unknown>;
  if (operand === undefined || operand === null) throw invalid('operand is missing');
  if (operator === undefined || operator === null) throw invalid('operator is missing');
  if (typeof operator !== 'string') throw new BadRequest(`narrow[${index}]["operator"] is not a string`);
  if (negated !== undefined && negated !== null && typeof negated !== 'boolean') {
    throw new BadRequest(`narrow[${index}]["negated"] is not a boolean`);
  }
  return { operator, operand, negated: negated ?? false };
}

function readTerm({ operator, operand, negated }: RawTerm): NarrowTerm {
  const read = READERS.get(operator);
  if (!read) throw new BadNarrow(`unknown operator ${operator}`);
  return { ...read(operand), negated };
}

/** Whether only channel messages can match the term. */
function impliesChannel(term: NarrowTerm): boolean {
  if (term.negated) return false;
  if (term.operator === 'is') return term.what === 'resolved' || term.what === 'followed';
  return term.operator === 'channel' || term.operator === 'channels' || term.operator === 'topic';
}

/** Whether only direct messages can match the term. */
function impliesDirect(term: NarrowTerm): boolean {
  if (term.negated) return false;
  if (term.operator === 'is') return term.what === 'dm';
  return ['dm', 'dm-including', 'group-dm-with'].includes(term.operator);
}

function people(operand: unknown): { people: readonly PersonOperand[]; operand: string } {
  if (typeof operand === 'string') {
    const addresses = operand.split(',', MAX_PEOPLE + 1).map((address) => address.trim());
    checkCount(addresses);
    return { people: addresses.filter((address) => address !== ''), operand };
  }
  if (isId(operand)) return { people: [operand], operand: String(operand) };
  if (!Array.isArray(operand)) throw new BadRequest('operand is not a string or an integer list');
  checkCount(operand);
  if (operand.every(isId)) return { people: operand, operand: String(operand) };
  throw new BadRequest('operand is not a string or an integer list');
}

function checkCount(people: readonly unknown[]): void {
  if (people.length > MAX_PEOPLE) throw new BadNarrow(`too many people (limit: ${MAX_PEOPLE})`);
}

function messageId(operand: unknown, problem: string): number {
  const value = stringOrInteger(operand);
  const id = typeof value === 'number' ? value : /^\d+$/.test(value) ? Number(value) : -1;
  if (id < 0) throw new BadNarrow(problem);
  return Math.min(id, MAX_ID);
}

function string(operand: unknown): string {
  if (typeof operand !== 'string') throw new BadRequest('operand is not a string');
  return short(operand);
}

function nonBlank(operand: unknown): string {
  const text = string(operand);
  if (text === '') throw new BadRequest('operand cannot be blank.');
  return text;
}

function stringOrInteger(operand: unknown): string | number {
  if (typeof operand === 'string') return short(operand);
  if (isId(operand)) return operand;
  throw new BadRequest('operand is not a string or integer');
}

function short(operand: string): string {
  if (operand.length <= MAX_OPERAND_LENGTH) return operand;
  throw new BadRequest(`operand is too long (limit: ${MAX_OPERAND_LENGTH} characters)`);
}

function isId(operand: unknown): operand is number {
  return Number.isSafeInteger(operand);
}

function known<const Word extends string>(words: readonly Word[], problem: string, word: string): Word {
  const found = words.find((candidate) => candidate === word);
  if (found === undefined) throw new BadNarrow(`${problem} ${word}`);
  return found;
}
