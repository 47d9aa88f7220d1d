import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { Message, Reaction } from '../connection/records';
import { myId, nameOf, people } from '../connection/state';
import { Button } from '../parts/button';
import { Emoji, type EmojiId } from '../parts/emoji';
import { shownClock, shownMoment } from '../parts/format';
import { Avatar, Badges, StatusEmoji } from '../parts/person';
import { Rendered } from '../parts/rendered';
import { attempt } from '../parts/task';
import * as words from '../words';
import { MessageEditor } from './message-editor';
import { lazy } from '../parts/lazy';
import { isMine } from './message-window';
import { hrefOf, placeOf } from './places';

const EmojiPicker = lazy(async () => (await import('../emoji')).EmojiPicker, false);
const MessageMenu = lazy(async () => (await import('../menus')).MessageMenu, false);
const Widget = lazy(async () => (await import('../menus')).Widget, false);
const PersonCard = lazy(async () => (await import('../menus')).PersonCard, false);

/** Reactions that were asked for and may not show yet: the event comes on another way than the answer. */
const wishes = new Set<string>();
const WISH_MS = 1000;

function react(message: Message, { emoji_name, emoji_code, reaction_type }: EmojiId): void {
  const isThere = message.reactions.some(
    (each) =>
      each.user_id === myId.value && each.emoji_code === emoji_code && each.reaction_type === reaction_type,
  );
  const method = isThere ? 'DELETE' : 'POST';
  const path = `messages/${message.id}/reactions`;
  // A second click before the first one shows is the same wish.
  const wish = `${method} ${path} ${reaction_type} ${emoji_code}`;
  if (wishes.has(wish)) return;
  wishes.add(wish);
  const forget = () => setTimeout(() => wishes.delete(wish), WISH_MS);
  attempt(call(method, path, { emoji_name, emoji_code, reaction_type }).finally(forget));
}

function Reactions({ message }: { readonly message: Message }) {
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

interface MessageProperties {
  readonly message: Message;
  /** Whether it goes on from the one above: by the same person, soon after. */
  readonly isContinued: boolean;
  /** Whether a link has led to it. */
  readonly isGoal: boolean;
  readonly onQuote: ((message: Message) => void) | null;
}

/** One message, and what can be done with it. */
export function MessageItem({ message, isContinued, isGoal, onQuote }: MessageProperties) {
  const [open, setOpen] = useState<'emoji' | 'editor' | 'menu' | 'card' | null>(null);
  const [anchor, setAnchor] = useState<Element | null>(null);
  const openAt = (what: 'emoji' | 'menu' | 'card', at: Element) => {
    setAnchor(at);
    setOpen(what);
  };
  /** Leaves what has been opened instead. */
  const closed = (what: 'emoji' | 'menu' | 'card') => setOpen((now) => (now === what ? null : now));
  const person = people.value.get(message.sender_id);
  const isStarred = message.flags.includes('starred');
  const sent = new Date(message.timestamp * 1000);
  const name = person?.full_name ?? message.sender_full_name;
  const isUnread = !message.flags.includes('read');
  const isDoing = message.is_me_message;
  const isEdited = message.last_edit_timestamp !== undefined;
  const content = message.match_content ?? message.content;
  const text = <Rendered html={isDoing ? content.replace('/me ', '') : content} />;
  const classes = {
    continued: isContinued,
    doing: isDoing,
    mentioned: message.flags.includes('mentioned'),
  };
  const shown = Object.entries(classes).flatMap(([one, isOn]) => (isOn ? [` ${one}`] : []));
  return (
    <li
      class={`message${shown.join('')}`}
      aria-current={isGoal || undefined}
      data-id={message.id}
      data-unread={isUnread || undefined}
      tabIndex={-1}
    >
      {!isContinued && <Avatar userId={message.sender_id} />}
      <div class="head">
        {isContinued ? (
          <span class="unseen">{name}</span>
        ) : (
          <button
            type="button"
            class="sender"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => openAt('card', currentTarget)}
          >
            {name}
          </button>
        )}
        {!isContinued && person && <Badges person={person} />}
        {!isContinued && <StatusEmoji userId={message.sender_id} />}
        {isDoing && text}
        <a href={hrefOf(placeOf(message), message.id)} title={shownMoment(sent)}>
          <time dateTime={sent.toISOString()}>{shownClock(sent)}</time>
        </a>
        {(isEdited || isStarred) && (
          <span class="marks">
            {isEdited && <span class="note">{words.conversations.edited}</span>}
            {isStarred && <span class="note">★ {words.conversations.isStarred}</span>}
          </span>
        )}
      </div>
      {open === 'editor' ? (
        <MessageEditor message={message} onClose={() => setOpen(null)} />
      ) : message.submessages?.length ? (
        <Widget message={message} />
      ) : (
        !isDoing && text
      )}
      <Reactions message={message} />
      <div class="tools" role="group" aria-label={words.conversations.toolsOf(name, shownClock(sent))}>
        <Button
          kind="quiet"
          icon="smile"
          data-key="react"
          label={words.conversations.react}
          aria-haspopup="dialog"
          aria-expanded={open === 'emoji'}
          onClick={({ currentTarget }) => openAt('emoji', currentTarget)}
        />
        <Button
          kind="quiet"
          icon="star"
          data-key="star"
          label={isStarred ? words.conversations.unstar : words.conversations.star}
          aria-pressed={isStarred}
          onClick={() =>
            attempt(
              call('POST', 'messages/flags', {
                messages: [message.id],
                op: isStarred ? 'remove' : 'add',
                flag: 'starred',
              }),
            )
          }
        />
        {onQuote && (
          <Button
            kind="quiet"
            icon="quote"
            data-key="quote"
            label={words.conversations.quote}
            onClick={() => onQuote(message)}
          />
        )}
        {isMine(message) && (
          <Button
            kind="quiet"
            icon="edit"
            data-key="edit"
            label={words.conversations.edit}
            onClick={() => setOpen('editor')}
          />
        )}
        <Button
          kind="quiet"
          icon="more"
          data-key="more"
          label={words.conversations.more}
          aria-haspopup="menu"
          aria-expanded={open === 'menu'}
          onClick={({ currentTarget }) => openAt('menu', currentTarget)}
        />
      </div>
      {open === 'menu' && (
        <MessageMenu
          {...{ message, name, onQuote }}
          anchor={anchor!}
          onEdit={() => setOpen('editor')}
          onClose={() => closed('menu')}
        />
      )}
      {open === 'card' && (
        <PersonCard userId={message.sender_id} anchor={anchor!} onClose={() => closed('card')} />
      )}
      {open === 'emoji' && (
        <EmojiPicker
          anchor={anchor!}
          onClose={() => closed('emoji')}
          onChoose={(id: EmojiId) => react(message, id)}
        />
      )}
    </li>
  );
}
