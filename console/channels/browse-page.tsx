import { useState } from 'preact/hooks';
import type { KnownChannel } from '../connection/records';
import { channels } from '../connection/state';
import { hrefOf } from '../conversations/places';
import { join, leaveChannel } from '../conversations/visibility';
import { Button } from '../parts/button';
import { Confirm } from '../parts/dialog';
import { shownNumber } from '../parts/format';
import { Icon } from '../parts/icon';
import { Page } from '../parts/page';
import { textOf } from '../parts/rendered';
import { useRights } from '../parts/rights';
import { chosenTab, Tabs } from '../parts/tabs';
import { attempt } from '../parts/task';
import { query, setQuery } from '../router';
import * as words from '../words';
import { AddDialog, mayAddChannel } from './add-dialog';

const SHOWN = 200;

const collator = new Intl.Collator(words.language, { sensitivity: 'base', numeric: true });

const TESTS: Readonly<Record<string, (channel: KnownChannel) => boolean>> = {
  available: ({ isSubscribed }) => !isSubscribed,
  subscribed: ({ isSubscribed }) => isSubscribed,
  all: () => true,
};

/** Weekly number of messages; nothing if the channel is too new to have one. */
function Traffic({ channel: { stream_weekly_traffic: weekly } }: { readonly channel: KnownChannel }) {
  if (weekly === null || weekly === undefined) return null;
  return <span>{words.browsing.weekly(weekly, shownNumber(weekly))}</span>;
}

interface ChannelRowProperties {
  readonly channel: KnownChannel;
  /** Asks for confirmation before the user leaves a channel that they cannot rejoin by themselves. */
  readonly onLeave: () => void;
}

function ChannelRow({ channel, onLeave }: ChannelRowProperties) {
  const { stream_id: channelId, name, isSubscribed, invite_only: isPrivate } = channel;
  const about = textOf(channel.rendered_description);
  const change = () => {
    if (isSubscribed && isPrivate) return onLeave();
    attempt((isSubscribed ? leaveChannel : join)(channel));
  };
  return (
    <li class="browse-row">
      <Icon name={isPrivate ? 'lock' : 'hash'} />
      <div class="row-text">
        <a class="place-name" href={hrefOf({ channelId })}>
          {name}
        </a>
        {about && <p class="preview-line">{about}</p>}
        <p class="facts">
          {isSubscribed && (
            <span class="in">
              <Icon name="check" /> {words.browsing.subscribed}
            </span>
          )}
          <span>{words.browsing.subscribers(channel.subscriber_count)}</span>
          <Traffic channel={channel} />
        </p>
      </div>
      <Button
        kind={isSubscribed ? 'quiet' : undefined}
        label={isSubscribed ? words.browsing.leaveIt(name) : words.browsing.joinIt(name)}
        onClick={change}
      >
        {isSubscribed ? words.browsing.leave : words.browsing.join}
      </Button>
    </li>
  );
}

/** Lists channels to join, and the channels that the user has joined. */
export function BrowsePage() {
  const may = useRights('');
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<KnownChannel | null>(null);
  const text = query.value.get('q') ?? '';
  const wanted = text.trim().toLowerCase();
  const tab = chosenTab(words.browsing.tabs);
  const found = [...channels.value.values()]
    .filter((each) => !each.is_archived && TESTS[tab]!(each))
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
    .sort((one, other) => collator.compare(one.name, other.name));
  return (
    <Page
      title={words.browsing.title}
      actions={
        mayAddChannel(may) && (
          <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
            {words.channels.add}
          </Button>
        )
      }
    >
      <div class="filters">
        <input
          type="search"
          aria-label={words.conversations.findChannel}
          placeholder={words.conversations.findChannel}
          value={text}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <Tabs label={words.browsing.title} tabs={words.browsing.tabs} />
      </div>
      <ul class="places">
        {found.slice(0, SHOWN).map((channel) => (
          <ChannelRow key={channel.stream_id} channel={channel} onLeave={() => setLeaving(channel)} />
        ))}
      </ul>
      {found.length === 0 && (
        <p class="empty">
          {wanted === '' && tab === 'available' ? words.browsing.inAll : words.browsing.noneFit}
        </p>
      )}
      {found.length > SHOWN && <p class="note">{words.more(found.length - SHOWN)}</p>}
      {isAdding && <AddDialog may={may} isForReading onClose={() => setAdding(false)} />}
      {leaving !== null && (
        <Confirm
          title={words.browsing.leaveIt(leaving.name)}
          action={words.browsing.leave}
          isDangerous
          onConfirm={() => leaveChannel(leaving)}
          onClose={() => setLeaving(null)}
        >
          <p>{words.browsing.leaveAbout}</p>
        </Confirm>
      )}
    </Page>
  );
}
