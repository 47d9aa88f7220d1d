/** A person as a narrow names them: by address or by ID. */
export type PersonOperand = string | number;

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

export type IsOperand = (typeof IS_OPERANDS)[number];

/** One condition of a narrow, whatever alias named its operator (messages reference 4.4). */
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
  | { readonly operator: 'search'; readonly text: string }
);
