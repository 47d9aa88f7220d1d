import { defineEvent } from '../../platform/events/server-event';
import type { StoredReactionWire } from './reactions.wire';

/** Unlike message records, events say more of whose the reaction is. */
interface ReactionPayload extends StoredReactionWire {
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string };
}

/** A person reacted to a message. */
export const reactionAdded = defineEvent<ReactionPayload>('reaction', 'add');

/** A person took a reaction back. */
export const reactionRemoved = defineEvent<ReactionPayload>('reaction', 'remove');
