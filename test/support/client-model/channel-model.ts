import { byId, NotUnderstood, required, without, type Json, type Reducer } from './json';

/** The personal part of a subscription. */
const PERSONAL_KEYS = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

/** Those for which older clients receive the account's own value if they are unset. */
const NOTIFICATION_KEYS = PERSONAL_KEYS.slice(4);

interface KnownChannel {
  /** The record without personal keys, and without keys that no event updates. */
  record: Json;
  subscribers: Set<number>;
  isSubscribed: boolean;
  /** Null if the client knows of none; it forgets them when it loses access to a channel. */
  personal: Json;
}

/** A client's knowledge of channels, folders, and muted or followed topics. */
export class ChannelModel {
  private readonly channels = new Map<number, KnownChannel>();
  private defaultIds: number[];
  private readonly folders: Map<number, Json>;
  private readonly topics: Map<string, Json>;
  private mutedTopics: Json[] | undefined;
  /** Channels that were archived since, or became inaccessible, which is the same for some clients. */
  private readonly onceArchived = new Set<number>();

  constructor(
    state: Json,
    private readonly ownId: () => number,
    /** Whether personal settings may be null, which applies the account's setting. */
    private readonly knowsNull: boolean,
  ) {
    for (const record of state.subscriptions) this.keep(record, true);
    for (const record of state.unsubscribed) this.keep(record, false);
    for (const record of state.never_subscribed) this.keep(record, false);
    const listed = state.streams.map(({ stream_id }: Json) => stream_id).sort();
    const known = [...this.channels.keys()].sort();
    if (String(listed) !== String(known)) {
      throw new NotUnderstood(`Channels are ${listed.join()} in one list and ${known.join()} in the others.`);
    }
    for (const record of state.streams) {
      const { record: other } = required(this.channels, record.stream_id, 'channel');
      if (JSON.stringify(plain(record)) !== JSON.stringify(other)) {
        throw new NotUnderstood(`Channel ${record.stream_id} is not the same in both lists.`);
      }
    }
    this.defaultIds = state.realm_default_streams;
    this.folders = byId(state.channel_folders, 'id');
    this.topics = new Map(state.user_topics.map((topic: Json) => [topicKey(topic), topic]));
    this.mutedTopics = state.muted_topics;
  }

  /** @param ignoring omits what this client cannot know */
  content(ignoring: ChannelModel): Json {
    return {
      channels: new Map([...this.channels].map(([id, channel]) => [id, this.comparable(channel, ignoring)])),
      defaultChannels: this.defaultIds,
      folders: this.folders,
      topics: this.topics,
      mutedTopics: ignoring.certain(this.mutedTopics),
    };
  }

  knows(channelId: number): boolean {
    return this.channels.has(channelId);
  }

  /** Whether messages of a topic are muted. */
  isMuted(channelId: number, topic: string): boolean {
    const policy = this.topics.get(topicKey({ stream_id: channelId, topic_name: topic }))?.visibility_policy;
    if (policy === 1) return true;
    if (policy === 2 || policy === 3) return false;
    return this.channels.get(channelId)?.personal?.is_muted ?? false;
  }

  /** The first message of a channel marks the start of its history. */
  noteMessage(channelId: number, messageId: number): void {
    const channel = this.channels.get(channelId);
    if (channel) channel.record.first_message_id ??= messageId;
  }

  readonly reducers: Record<string, Reducer> = {
    'stream/create': ({ streams }) => {
      for (const record of streams) {
        if (this.channels.has(record.stream_id)) {
          throw new NotUnderstood(`Channel ${record.stream_id} is there already.`);
        }
        this.keep({ ...record, subscribers: [] }, false);
      }
    },
    'stream/delete': ({ stream_ids }) => {
      for (const id of stream_ids) {
        required(this.channels, id, 'channel');
        this.channels.delete(id);
        this.onceArchived.add(id);
      }
    },
    'stream/update': ({ stream_id, name, property, value, ...more }) => {
      const { record } = required(this.channels, stream_id, 'channel');
      if (!(property in record)) throw new NotUnderstood(`Channels have no ${property}.`);
      if (record.name !== name) throw new NotUnderstood(`Channel ${stream_id} is called ${record.name}.`);
      record[property] = value;
      if (property === 'is_archived') this.onceArchived.add(stream_id);
      for (const key of ['rendered_description', 'history_public_to_subscribers', 'is_web_public']) {
        if (key in more) record[key] = more[key];
      }
      if (property === 'name') this.renameInMutedTopics(name, value);
    },
    'subscription/add': ({ subscriptions }) => {
      for (const record of subscriptions) {
        const known = required(this.channels, record.stream_id, 'channel');
        if (known.isSubscribed) throw new NotUnderstood(`Subscribed to ${record.stream_id} already.`);
        this.keep(record, true);
      }
    },
    'subscription/remove': ({ subscriptions }) => {
      for (const { stream_id } of subscriptions) {
        const known = required(this.channels, stream_id, 'channel');
        if (!known.isSubscribed) throw new NotUnderstood(`Not subscribed to ${stream_id}.`);
        known.isSubscribed = false;
        known.subscribers.delete(this.ownId());
      }
    },
    'subscription/update': ({ stream_id, property, value }) => {
      const { personal } = required(this.channels, stream_id, 'channel');
      if (!personal) throw new NotUnderstood(`Nothing is known of a subscription to ${stream_id}.`);
      personal[property] = value;
    },
    'subscription/peer_add': ({ stream_ids, user_ids }) => {
      for (const channel of this.knownAmong(stream_ids)) {
        for (const id of user_ids) channel.subscribers.add(id);
      }
    },
    'subscription/peer_remove': ({ stream_ids, user_ids }) => {
      for (const channel of this.knownAmong(stream_ids)) {
        for (const id of user_ids) channel.subscribers.delete(id);
      }
    },
    default_streams: ({ default_streams }) => {
      this.defaultIds = default_streams;
    },
    'channel_folder/add': ({ channel_folder }) => {
      this.folders.set(channel_folder.id, structuredClone(channel_folder));
    },
    'channel_folder/update': ({ channel_folder_id, data }) => {
      Object.assign(required(this.folders, channel_folder_id, 'folder'), data);
    },
    'channel_folder/reorder': ({ order }) => {
      order.forEach((id: number, position: number) => {
        required(this.folders, id, 'folder').order = position;
      });
    },
    user_topic: (event) => {
      const topic = without(event, 'id', 'type');
      if (topic.visibility_policy === 0) this.topics.delete(topicKey(topic));
      else this.topics.set(topicKey(topic), topic);
    },
    muted_topics: ({ muted_topics }) => {
      this.mutedTopics = muted_topics;
    },
  };

  /** Some channels may be unknown to the client, because several channels share an event. */
  private knownAmong(channelIds: readonly number[]): KnownChannel[] {
    return channelIds.flatMap((id) => this.channels.get(id) ?? []);
  }

  /** The list excludes topics of archived channels, and is not sent again when one is archived or unarchived. */
  private certain(topics: readonly Json[] | undefined): Set<string> | undefined {
    const names = [...this.channels.values()]
      .filter(({ record }) => !record.is_archived && !this.onceArchived.has(record.stream_id))
      .map(({ record }) => record.name);
    return (
      topics && new Set(topics.filter(([name]) => names.includes(name)).map((each) => JSON.stringify(each)))
    );
  }

  /** Older clients identify muted topics by the names of their channels. */
  private renameInMutedTopics(from: string, to: string): void {
    this.mutedTopics = this.mutedTopics?.map(([name, ...rest]) => [name === from ? to : name, ...rest]);
  }

  private keep(record: Json, isSubscribed: boolean): void {
    const hasPersonal = 'color' in record;
    this.channels.set(record.stream_id, {
      record: plain(record),
      subscribers: new Set(record.subscribers),
      isSubscribed,
      personal: hasPersonal ? Object.fromEntries(PERSONAL_KEYS.map((key) => [key, record[key]])) : null,
    });
  }

  private comparable(
    { record, subscribers, isSubscribed, personal }: KnownChannel,
    ignoring: ChannelModel,
  ): Json {
    const isKnown = ignoring.channels.get(record.stream_id)?.personal;
    const shown = this.knowsNull ? personal : personal && without(personal, ...NOTIFICATION_KEYS);
    return {
      ...record,
      // Only clients that know the subscribers can count them.
      subscriber_count: subscribers.size,
      // Only recipients of the messages learn of the first one.
      first_message_id: isSubscribed ? record.first_message_id : 'unknown',
      subscribers,
      isSubscribed,
      personal: isKnown ? shown : 'unknown',
    };
  }
}

/** The record of a channel without personal keys, and without numbers that change on their own. */
function plain(record: Json): Json {
  return structuredClone(
    without(record, ...PERSONAL_KEYS, 'subscribers', 'partial_subscribers', 'stream_weekly_traffic'),
  );
}

function topicKey({ stream_id, topic_name }: Json): string {
  return `${stream_id} ${topic_name.toLowerCase()}`;
}
