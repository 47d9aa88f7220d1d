import type { EmojiReference } from '../emoji';

/** A reaction as message records show it (groups reference 8.5). */
export interface ReactionWire {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}

/** The record of a reaction. */
export function reactionWire(emoji: EmojiReference, userId: number): ReactionWire {
  return {
    emoji_name: emoji.name,
    emoji_code: emoji.code,
    reaction_type: emoji.type,
    user_id: userId,
  };
}
