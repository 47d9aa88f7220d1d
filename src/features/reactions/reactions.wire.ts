/** A reaction as message records show it. */
export interface ReactionWire {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}

/** A reaction with the message it is to, as its row is read and as events tell it. */
export interface StoredReactionWire extends ReactionWire {
  readonly message_id: number;
}
