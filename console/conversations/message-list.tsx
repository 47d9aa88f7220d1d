import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placeKey } from '../connection/place';
import type { Message } from '../connection/records';
import { channels } from '../connection/state';
import { Button } from '../parts/button';
import { colorOf } from '../parts/channel-icon';
import { lazy } from '../parts/lazy';
import * as words from '../words';
import { MessageItem } from './message';
import { isMine, type MessageWindow } from './message-window';
import { pictureOf } from './pictures';
import { hrefOf, placeName, placeOf } from './places';
import { isReadWhenSeen, noteSeen } from './reading';

const Lightbox = lazy(async () => (await import('../media/lightbox')).Lightbox, false);

/** Messages by the same person within this time are shown as continued. */
const RUN_SECONDS = 600;
/** Distance from the end of the loaded messages at which more are loaded. */
const NEAR_PX = 600;

const DAY = new Intl.DateTimeFormat(words.language, { dateStyle: 'full' });
/** Distance of a message from the top of the list. */
const depthOf = (item: Element) =>
  item.getBoundingClientRect().top - item.parentElement!.getBoundingClientRect().top;
const dayOf = ({ timestamp }: Message) => new Date(timestamp * 1000).toDateString();

interface ListProperties {
  readonly window: MessageWindow;
  readonly label: string;
  /** Whether messages are from several places, which are then named. */
  readonly isMixed: boolean;
  readonly empty: string;
  readonly onQuote: ((message: Message) => void) | null;
}

/** A list of messages that loads older ones on scrolling up, and marks visible ones as read. */
export function MessageList({ window, label, isMixed, empty, onQuote }: ListProperties) {
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** The message at the top of the screen, and its distance from the list's top, to keep it in place. */
  const held = useRef<{ item: Element; depth: number } | null>(null);
  const lastTop = useRef(0);
  const lastHeight = useRef(0);
  const [firstUnread, setFirstUnread] = useState<number | null>(null);
  const [below, setBelow] = useState(0);
  const [isAway, setAway] = useState(false);
  /** The picture shown in the lightbox. */
  const [viewed, setViewed] = useState<HTMLImageElement | null>(null);
  const messages = window.messages.value;
  const isOpened = useRef(false);
  /** The last message previously loaded, and whether it was the newest of all. */
  const known = useRef({ id: 0, isNewest: false });
  const newest = messages.at(-1)?.id ?? 0;

  useLayoutEffect(() => {
    const shown = log.current!;
    const { goal } = window;
    if (messages.length === 0) {
      isOpened.current = false;
    } else if (!isOpened.current) {
      isOpened.current = true;
      const first = messages.find((message) => !message.flags.includes('read') && !isMine(message));
      if (first && goal === 'first_unread') setFirstUnread(first.id);
      // On return, restores the scroll position unless there is something new.
      const isNew = typeof goal === 'number' || (goal === 'first_unread' && first);
      const back = isNew ? null : window.returnsTo;
      const id = back?.id ?? (goal === 'first_unread' ? first?.id : goal);
      const element = shown.querySelector<HTMLElement>(`[data-id="${id}"]`);
      const offset = back?.offset ?? shown.clientHeight / 3;
      shown.scrollTop = element ? element.offsetTop - offset : shown.scrollHeight;
      isAtEnd.current = !element;
      held.current = null;
      if (element && goal === id) element.focus({ preventScroll: true });
    }
    note();
  }, [messages]);

  const ends = useRef(window.toEnd.value);
  useLayoutEffect(() => {
    // Only on new requests, not when the page is shown again.
    if (window.toEnd.value !== ends.current) showEnd();
    ends.current = window.toEnd.value;
  }, [window.toEnd.value]);

  useEffect(() => {
    // Messages loaded by scrolling are not new.
    const { id: last, isNewest } = known.current;
    const come = messages.filter(({ id }) => id > last).length;
    if (isNewest && !isAtEnd.current) setBelow((count) => count + come);
    known.current = { id: newest, isNewest: window.hasNewest };
  }, [newest]);

  function showEnd(): void {
    window.isFollowed = isAtEnd.current = window.hasNewest;
    log.current!.scrollTop = log.current!.scrollHeight;
  }

  /** Keeps the scroll position, or the end if it was visible, whatever was added, resized or removed. */
  function stay(): void {
    const shown = log.current;
    // The list may have scrolled or grown before it was removed.
    if (!shown) return;
    const now = held.current;
    const grown = now?.item.isConnected ? depthOf(now.item) - now.depth : 0;
    if (now) now.depth += grown;
    if (isAtEnd.current) shown.scrollTop = shown.scrollHeight;
    else if (grown) shown.scrollTop += grown;
  }

  /** Records the scroll position, loads nearby messages, and marks visible ones as read. */
  function note(): void {
    const shown = log.current;
    if (!shown) return;
    // Simultaneous growth has not been handled yet. The list stays at the end until the user scrolls up.
    const isShorter = shown.scrollHeight < lastHeight.current;
    if (shown.scrollTop < lastTop.current && !isShorter) isAtEnd.current = false;
    stay();
    lastTop.current = shown.scrollTop;
    lastHeight.current = shown.scrollHeight;
    const { top, bottom } = shown.getBoundingClientRect();
    const left = shown.scrollHeight - shown.scrollTop - shown.clientHeight;
    isAtEnd.current = (isAtEnd.current || left < 40) && window.hasNewest;
    window.isFollowed = isAtEnd.current;
    setAway(!isAtEnd.current && (left > shown.clientHeight || !window.hasNewest));
    if (isAtEnd.current) setBelow(0);
    const items = [...shown.querySelectorAll('.message')];
    const item = items.find((each) => each.getBoundingClientRect().bottom > top);
    window.top = Number(item?.getAttribute('data-id')) || null;
    window.offset = item ? item.getBoundingClientRect().top - top : 0;
    held.current = item ? { item, depth: depthOf(item) } : null;
    if (shown.scrollTop < NEAR_PX) void window.loadOlder();
    if (left < NEAR_PX) void window.loadNewer();
    if (document.visibilityState !== 'visible' || !isReadWhenSeen(window.narrow)) return;
    for (const item of shown.querySelectorAll<HTMLElement>('[data-unread]')) {
      const box = item.getBoundingClientRect();
      const id = Number(item.dataset['id']);
      if (box.top < bottom && box.bottom > top && !window.kept.has(id)) noteSeen(id);
    }
  }

  useEffect(() => {
    document.addEventListener('visibilitychange', note);
    const observer = new ResizeObserver(stay);
    // Pictures and fonts load later than their messages.
    observer.observe(log.current!.firstElementChild!);
    observer.observe(log.current!);
    return () => {
      document.removeEventListener('visibilitychange', note);
      observer.disconnect();
    };
  }, [window]);

  /** Opens the picture of a link in the lightbox, unless a modifier key is pressed. */
  function view(event: MouseEvent): void {
    const picture = pictureOf((event.target as Element).closest('a'));
    if (!picture || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setViewed(picture);
  }

  const isLoading = window.state.value === 'loading';
  return (
    <div class="log-frame">
      <div
        ref={log}
        class="log"
        role="log"
        aria-label={label}
        aria-busy={isLoading}
        tabIndex={0}
        onScroll={note}
        onClick={view}
      >
        <ol>
          {messages.map((message, index) => {
            const above = messages[index - 1];
            const isNewDay = !above || dayOf(above) !== dayOf(message);
            const isNewPlace = isMixed && (!above || placeKey(placeOf(above)) !== placeKey(placeOf(message)));
            const isContinued =
              !isNewDay &&
              !isNewPlace &&
              message.id !== firstUnread &&
              !message.is_me_message &&
              !above.is_me_message &&
              above.sender_id === message.sender_id &&
              message.timestamp - above.timestamp < RUN_SECONDS;
            // Fragments with keys, so that insertions above leave the elements of other messages unchanged.
            return (
              <Fragment key={message.id}>
                {isNewDay && (
                  <li class="divider">
                    <span>{DAY.format(message.timestamp * 1000)}</span>
                  </li>
                )}
                {isNewPlace && (
                  <li class="place" style={colorOf(channels.value.get(message.stream_id ?? 0))}>
                    <a href={hrefOf(placeOf(message), message.id)}>{placeName(placeOf(message))}</a>
                  </li>
                )}
                {message.id === firstUnread && (
                  <li class="divider new">
                    <span>{words.conversations.newMessages}</span>
                  </li>
                )}
                <MessageItem
                  message={message}
                  isContinued={isContinued}
                  isGoal={message.id === window.goal}
                  onQuote={onQuote}
                />
              </Fragment>
            );
          })}
        </ol>
        {messages.length === 0 && !isLoading && !window.error.value && <p class="empty">{empty}</p>}
        {window.error.value && (
          <p class="error" role="alert">
            {window.error} <Button onClick={() => void window.refresh()}>{words.tryAgain}</Button>
          </p>
        )}
      </div>
      {viewed && (
        <Lightbox root={log.current!} first={viewed} messages={messages} onClose={() => setViewed(null)} />
      )}
      {below + window.beyond.value > 0 ? (
        <div class="below">
          <Button kind="main" onClick={() => void window.showEnd()}>
            {words.conversations.newBelow(below + window.beyond.value)}
          </Button>
        </div>
      ) : (
        isAway && (
          <div class="below">
            <Button icon="down" label={words.conversations.toNewest} onClick={() => void window.showEnd()} />
          </div>
        )
      )}
    </div>
  );
}
