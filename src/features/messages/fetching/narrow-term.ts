import type { SearchQuery } from './search-query';

/** A person as a narrow names them: by address or by ID. */
export type PersonOperand = string | number;

/** Operands of `has`, `in`, `channels` and `is`. */
export const HAS_OPERANDS = ['attachment', 'image', 'link', 'reaction'] as const;
export const IN_OPERANDS = ['home', 'all'] as const;
export const CHANNELS_OPERANDS = ['public', 'web-public', 'archived'] as const;
export const IS_OPERANDS = [
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

/** One condition of a narrow, whatever alias named its operator. */
export type NarrowTerm = { readonly negated: boolean } & (
  | { readonly operator: 'channel'; readonly channel: string | number }
  | { readonly operator: 'channels'; readonly kind: (typeof CHANNELS_OPERANDS)[number] }
  | { readonly operator: 'topic'; readonly topic: string }
  | { readonly operator: 'sender' | 'mentions'; readonly person: PersonOperand }
  | {
      readonly operator: 'dm' | 'dm-including' | 'group-dm-with';
      readonly people: readonly PersonOperand[];
      /** The operand as it was sent, for messages. */
      readonly operand: string;
    }
  | { readonly operator: 'id' | 'with'; readonly messageId: number }
  | { readonly operator: 'near' }
  | { readonly operator: 'has'; readonly what: (typeof HAS_OPERANDS)[number] }
  | { readonly operator: 'in'; readonly where: (typeof IN_OPERANDS)[number] }
  | { readonly operator: 'is'; readonly what: IsOperand }
  /** The query is null when there is no word in it. */
  | { readonly operator: 'search'; readonly query: SearchQuery | null }
);

/**
 * Whether many messages may have to be looked at for the term. The others name a place whose messages are found
 * as they come, or what the reader received.
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

/** What all the searches of a narrow look for together; null when it has none. */
export function searchedFor(terms: readonly NarrowTerm[]): SearchQuery | null {
  const queries = terms.flatMap((term) => (term.operator === 'search' && !term.negated ? term : []));
  if (queries.length === 0) return null;
  return { phrases: queries.flatMap(({ query }) => query?.phrases ?? []) };
}
