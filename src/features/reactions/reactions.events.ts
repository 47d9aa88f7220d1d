import { defineEvent } from '../../platform/events/server-event';
import type { ReactionWire } from './reactions.wire';

/** A reaction with the message it is to and, unlike in message records, more of whose it is. */
interface ReactionPayload extends ReactionWire {
  readonly message_id: number;
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string };
}

/** Somebody reacted to a message (groups reference 8.6). */
export const reactionAdded = defineEvent<ReactionPayload>('reaction', 'add');

/** Somebody took a reaction back. */
export const reactionRemoved = defineEvent<ReactionPayload>('reaction', 'remove');
