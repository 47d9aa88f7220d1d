import { useState } from 'preact/hooks';
import type { Message } from '../connection/records';
import { people } from '../connection/state';
import { Button } from '../parts/button';
import type { EmojiId } from '../parts/emoji';
import { shownClock, shownMoment } from '../parts/format';
import { Avatar, Badges, StatusEmoji } from '../parts/person';
import { Rendered } from '../parts/rendered';
import { attempt } from '../parts/task';
import * as words from '../words';
import { MessageEditor } from './message-editor';
import { lazy } from '../parts/lazy';
import { isMine } from './message-window';
import { hrefOf, placeOf } from './places';
import { react, Reactions } from './reactions';
import { setFlag } from './reading';

const EmojiPicker = lazy(async () => (await import('../emoji')).EmojiPicker, false);
const MessageMenu = lazy(async () => (await import('../menus')).MessageMenu, false);
const Widget = lazy(async () => (await import('../menus')).Widget, false);
const PersonCard = lazy(async () => (await import('../menus')).PersonCard, false);

interface MessageProperties {
  readonly message: Message;
  /** Whether the message continues the one above: by the same person, shortly after. */
  readonly isContinued: boolean;
  /** Whether a link led to the message. */
  readonly isGoal: boolean;
  readonly onQuote: ((message: Message) => void) | null;
}

/** One message, with its menu and actions. */
export function MessageItem({ message, isContinued, isGoal, onQuote }: MessageProperties) {
  const [open, setOpen] = useState<'emoji' | 'editor' | 'menu' | 'card' | null>(null);
  const [anchor, setAnchor] = useState<Element | null>(null);
  const openAt = (what: 'emoji' | 'menu' | 'card', at: Element) => {
    setAnchor(at);
    setOpen(what);
  };
  /** Closes something, unless another has been opened instead. */
  const closed = (what: 'emoji' | 'menu' | 'card') => setOpen((now) => (now === what ? null : now));
  const person = people.value.get(message.sender_id);
  const isStarred = message.flags.includes('starred');
  const isCollapsed = message.flags.includes('collapsed');
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
        {isDoing && !isCollapsed && text}
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
      ) : isCollapsed ? (
        <Button kind="quiet" class="collapsed" onClick={() => attempt(setFlag(message, 'collapsed'))}>
          {words.conversations.expand}
        </Button>
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
          onClick={() => attempt(setFlag(message, 'starred'))}
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
