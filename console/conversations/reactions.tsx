import { call } from '../connection/call';
import type { Message, Reaction } from '../connection/records';
import { myId, nameOf } from '../connection/state';
import { Emoji, type EmojiId } from '../parts/emoji';
import { attempt } from '../parts/task';
import * as words from '../words';

/** Pending changes of reactions: events arrive independently of responses. */
const wishes = new Set<string>();
const WISH_MS = 1000;

/** Adds or removes a reaction of the user. */
export function react(message: Message, { emoji_name, emoji_code, reaction_type }: EmojiId): void {
  const isThere = message.reactions.some(
    (each) =>
      each.user_id === myId.value && each.emoji_code === emoji_code && each.reaction_type === reaction_type,
  );
  const method = isThere ? 'DELETE' : 'POST';
  const path = `messages/${message.id}/reactions`;
  // A second click before the first one takes effect is ignored.
  const wish = `${method} ${path} ${reaction_type} ${emoji_code}`;
  if (wishes.has(wish)) return;
  wishes.add(wish);
  const forget = () => setTimeout(() => wishes.delete(wish), WISH_MS);
  attempt(call(method, path, { emoji_name, emoji_code, reaction_type }).finally(forget));
}

/** The reactions to a message, and who added them. */
export function Reactions({ message }: { readonly message: Message }) {
  const byEmoji = new Map<string, Reaction[]>();
  for (const reaction of message.reactions) {
    const key = `${reaction.reaction_type} ${reaction.emoji_code}`;
    byEmoji.set(key, [...(byEmoji.get(key) ?? []), reaction]);
  }
  if (byEmoji.size === 0) return null;
  return (
    <ul class="reactions">
      {[...byEmoji].map(([key, given]) => {
        const [first] = given as [Reaction];
        const isOwn = given.some(({ user_id }) => user_id === myId.value);
        const who = words.conversations.reacted(
          first.emoji_name.replaceAll('_', ' '),
          given.map(({ user_id }) => nameOf(user_id)),
        );
        return (
          <li key={key}>
            <button aria-pressed={isOwn} title={who} onClick={() => react(message, first)}>
              <Emoji id={first} /> {given.length}
              <span class="unseen"> {who}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
