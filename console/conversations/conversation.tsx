import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { call } from '../connection/call';
import { connection } from '../connection/live';
import type { Place } from '../connection/place';
import type { Message } from '../connection/records';
import { epoch } from '../connection/state';
import { useHeading } from '../parts/page';
import { announce } from '../parts/status';
import { sentenceOf } from '../parts/task';
import { words } from '../words';
import { Composer } from './composer';
import { MessageList } from './message-list';
import { MessageWindow } from './message-window';
import type { Narrow } from './narrow';

interface ConversationProperties {
  readonly title: string;
  /** What stands above the title, such as the channel of a topic. */
  readonly trail?: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly narrow: Narrow;
  readonly empty: string;
  /** Where what is written goes; null where nothing can be. */
  readonly place: Place | { readonly channelId: number } | null;
  /** What stands where one would write, if one may not. */
  readonly instead?: ComponentChildren;
}

/** A page of messages. */
export function Conversation(properties: ConversationProperties) {
  const { title, trail, about, actions, narrow, empty, place, instead } = properties;
  const key = JSON.stringify(narrow);
  const heading = useHeading(title);
  const window = useMemo(() => new MessageWindow(narrow), [key, epoch.value]);
  const [inserted, setInserted] = useState<{ text: string; count: number } | null>(null);
  useEffect(() => {
    void window.open();
    return () => window.close();
  }, [window]);
  useEffect(() => {
    if (connection.value === 'live' && window.error.value) void window.open();
  }, [connection.value]);
  const quote = (message: Message) => {
    call<{ message: Message }>('GET', `messages/${message.id}`, {
      apply_markdown: false,
      allow_empty_topic_name: true,
    }).then(
      ({ message: { content, sender_full_name: name, sender_id: id } }) =>
        setInserted((before) => ({
          text: `@_**${name}|${id}**:\n${quoted(content)}\n`,
          count: (before?.count ?? 0) + 1,
        })),
      (error: unknown) => announce(sentenceOf(error)),
    );
  };
  return (
    <div class="conversation">
      <header class="page-head">
        <div class="title">
          {trail}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && <p class="about">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      <MessageList
        key={`${key}${epoch.value}`}
        window={window}
        label={words.conversations.messagesOf(title)}
        isMixed={!('userIds' in narrow || 'topic' in narrow)}
        empty={empty}
        onQuote={place ? quote : null}
      />
      {place ? (
        <Composer
          key={key}
          place={place}
          draftKey={key}
          inserted={inserted}
          onSent={() => void (window.hasNewest.value || window.open())}
        />
      ) : (
        instead
      )}
    </div>
  );
}

/** Markdown that quotes a text, whatever fences are in it. */
function quoted(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/^`+/gm)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}quote\n${content}\n${fence}`;
}
