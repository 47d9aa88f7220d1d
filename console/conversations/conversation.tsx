import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { connection } from '../connection/live';
import type { Place } from '../connection/place';
import type { Message } from '../connection/records';
import { epoch, unread } from '../connection/state';
import { Button } from '../parts/button';
import { useHeading } from '../parts/page';
import { announce } from '../parts/status';
import { attempt, sentenceOf } from '../parts/task';
import { goBack, navigate } from '../router';
import * as words from '../words';
import { read, startOf } from './asking';
import { Composer, type Inserted } from './composer';
import { useDetails } from './details-panel';
import { moveDraft } from './draft';
import { MessageList } from './message-list';
import { keyOf, type Narrow } from './narrow';
import { hrefOf, placeOf } from './places';
import { quotationOf } from './quoting';
import { isReadWhenSeen, markNarrowRead } from './reading';
import { swipeBack } from './swipe';
import { isStale, leave, viewOf } from './views';

interface ConversationProperties {
  readonly title: string;
  /** Shown above the title, such as the channel of a topic. */
  readonly trail?: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly narrow: Narrow;
  readonly empty: string;
  /** The message to start at, unless the URL contains one. */
  readonly near?: number | null;
  /** Where composed messages go; null where the user cannot write. */
  readonly place: Place | { readonly channelId: number } | null;
  /** Replaces the composer if the user may not write. */
  readonly instead?: ComponentChildren;
}

/** A page of messages. */
export function Conversation(properties: ConversationProperties) {
  const key = keyOf(properties.narrow);
  return <OneConversation key={key} draftKey={key} {...properties} />;
}

/** A component per narrow, so that no state carries over to another page. */
function OneConversation(properties: ConversationProperties & { readonly draftKey: string }) {
  const { title, trail, about, actions, narrow, empty, place, instead, draftKey } = properties;
  const near = startOf() ?? properties.near ?? null;
  const heading = useHeading(title);
  const details = useDetails(narrow);
  const goAfter = (message: Message) => {
    if (!('topic' in narrow)) return;
    const there = placeOf(message);
    moveDraft(draftKey, keyOf(there));
    navigate(hrefOf(there), { replace: true });
  };
  const window = useMemo(() => viewOf(narrow, near), [near]);
  window.onGone = goAfter;
  const [quotation, setQuotation] = useState<Inserted | null>(null);
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const [isOver, setOver] = useState(false);
  // Before the first paint, because requested messages may have arrived already.
  useLayoutEffect(() => {
    let isLeft = false;
    const open = async () => {
      // Visited pages are shown from the cache, and refreshed if they may be outdated.
      if (window.messages.value.length === 0) await window.open();
      else if (isStale(window)) await window.refresh();
      const isThere = window.messages.value.some(({ id }) => id === near);
      if (!near || isThere || window.error.value || isLeft || 'text' in narrow) return;
      // The message has moved since the link was made.
      const message = await read(near, true);
      if (!isLeft) navigate(hrefOf(placeOf(message), near), { replace: true });
    };
    attempt(open());
    return () => {
      isLeft = true;
      leave(window);
    };
  }, [window]);
  const known = useRef(epoch.value);
  useEffect(() => {
    if (epoch.value !== known.current) void window.refresh();
  }, [epoch.value]);
  useEffect(() => {
    if (connection.value === 'live' && window.error.value) void window.refresh();
  }, [connection.value]);
  const quote = (message: Message) => {
    quotationOf(message).then(
      (text) => setQuotation({ text }),
      (error: unknown) => announce(sentenceOf(error)),
    );
  };
  const staysUnread = !isReadWhenSeen(narrow) && window.messages.value.some(({ id }) => unread.value.has(id));
  /** Whether the page fills the window of a phone, unlike overviews. */
  const isWhole = 'channelId' in narrow || 'userIds' in narrow;
  const takesFiles = (event: DragEvent) =>
    place !== null && (event.dataTransfer?.types.includes('Files') ?? false);
  const conversation = (
    <div
      class={`conversation${isWhole ? ' whole' : ''}${isOver ? ' over' : ''}`}
      {...swipeBack}
      onDragOver={(event) => {
        if (!takesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        setOver(currentTarget.contains(relatedTarget as Node | null))
      }
      onDrop={(event) => {
        if (!takesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        setDropped([...event.dataTransfer!.files]);
      }}
    >
      <header class="page-head">
        {isWhole && <Button class="back" kind="quiet" icon="back" label={words.back} onClick={goBack} />}
        <div class="title">
          {trail}
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {about && <div class="about">{about}</div>}
        </div>
        {(actions || isWhole) && (
          <div class="actions">
            {actions}
            {isWhole && details.button}
          </div>
        )}
      </header>
      {staysUnread && (
        <p class="stays-unread note">
          {words.conversations.staysUnread}
          <Button kind="quiet" onClick={() => attempt(markNarrowRead(narrow))}>
            {words.conversations.markRead}
          </Button>
        </p>
      )}
      <MessageList
        key={near}
        window={window}
        label={words.conversations.messagesOf(title)}
        isMixed={!('userIds' in narrow || 'topic' in narrow)}
        empty={empty}
        onQuote={place ? quote : null}
      />
      {place ? (
        <Composer
          place={place}
          draftKey={draftKey}
          inserted={quotation}
          dropped={dropped}
          onSent={() => void window.showEnd()}
        />
      ) : (
        instead
      )}
    </div>
  );
  return (
    <div class="beside">
      {conversation}
      {isWhole && details.panel}
    </div>
  );
}
