import { NotUnderstood, type Json, type Reducer } from './json';
import type { ChannelModel } from './channel-model';

/** How a message mentions the reader. */
type Mention = 'personal' | 'wildcard' | 'unknown' | null;

interface UnreadMessage {
  /** A channel and a topic, or the other participants of a conversation. */
  place: { channelId: number; topic: string } | { userIds: number[] };
  mention: Mention;
}

/** A client's knowledge of messages, without their contents: unread and starred ones, and the newest ones. */
export class MessageModel {
  private readonly unread = new Map<number, UnreadMessage>();
  private starred: Set<number>;
  /** Newest message of the other participants in a conversation. */
  private readonly conversations: Map<string, number>;
  private newestId: number;
  /** Channels that the client lost access to, and with it their unread messages; some return. */
  private readonly lostChannels = new Set<number>();
  /** State that a client would have to fetch: the newest message of something, after the newest one was deleted. */
  private readonly uncertain = new Set<string>();

  constructor(
    state: Json,
    private readonly ownId: () => number,
    private readonly channels: ChannelModel,
  ) {
    const { mentions: mentioning, pms, huddles, streams, count } = state.unread_msgs;
    const mentions = new Set<number>(mentioning);
    const keep = (ids: number[], place: UnreadMessage['place']) => {
      for (const id of ids) this.unread.set(id, { place, mention: mentions.has(id) ? 'unknown' : null });
    };
    for (const { other_user_id, unread_message_ids } of pms) {
      keep(unread_message_ids, { userIds: this.others([other_user_id]) });
    }
    for (const { user_ids_string, unread_message_ids } of huddles) {
      keep(unread_message_ids, { userIds: this.others(user_ids_string.split(',').map(Number)) });
    }
    for (const { stream_id, topic, unread_message_ids } of streams) {
      keep(unread_message_ids, { channelId: stream_id, topic });
    }
    const wrong = [...mentions].filter((id) => !this.unread.has(id));
    if (wrong.length > 0) throw new NotUnderstood(`Mentions ${wrong.join()} are not unread.`);
    this.starred = new Set(state.starred_messages);
    this.conversations = new Map(
      state.recent_private_conversations.map((each: Json) => [String(each.user_ids), each.max_message_id]),
    );
    this.newestId = state.max_message_id;
    this.checkCount(count);
  }

  /** @param ignoring omits what this client cannot know */
  content(ignoring: MessageModel): Json {
    const conversations = [...this.conversations].filter(([key]) => !ignoring.uncertain.has(key));
    const unread = [...this.unread].filter(([, message]) => !ignoring.isLost(message));
    const mentions = this.mentions().filter((id) => !ignoring.isAmbiguous(id));
    return {
      unread: new Map(unread.map(([id, { place }]) => [id, describe(place)])),
      mentions: new Set(mentions.filter((id) => unread.some(([known]) => known === id))),
      starred: this.starred,
      conversations: new Map(conversations),
      newest: ignoring.uncertain.has(NEWEST) ? 'uncertain' : this.newestId,
    };
  }

  readonly reducers: Record<string, Reducer> = {
    message: ({ message, flags }) => {
      this.newestId = Math.max(this.newestId, message.id);
      if (message.type === 'stream') this.channels.noteMessage(message.stream_id, message.id);
      else this.conversations.set(String(this.peopleOf(message)), message.id);
      if (flags.includes('read')) return;
      const place =
        message.type === 'stream'
          ? { channelId: message.stream_id, topic: message.subject }
          : { userIds: this.peopleOf(message) };
      this.unread.set(message.id, { place, mention: mentionIn(flags) });
    },
    update_message: (event) => {
      for (const id of event.message_ids) {
        const message = this.unread.get(id);
        if (!message || !('channelId' in message.place)) continue;
        const { channelId, topic } = message.place;
        message.place = { channelId: event.new_stream_id ?? channelId, topic: event.subject ?? topic };
      }
      const edited = 'content' in event ? this.unread.get(event.message_id) : undefined;
      if (edited) edited.mention = mentionIn(event.flags);
    },
    delete_message: (event) => {
      for (const id of event.message_ids ?? [event.message_id]) {
        this.unread.delete(id);
        this.starred.delete(id);
        for (const [key, newest] of this.conversations) if (newest === id) this.uncertain.add(key);
        if (id === this.newestId) this.uncertain.add(NEWEST);
      }
    },
    'update_message_flags/add': ({ flag, messages, all }) => {
      if (flag === 'read' && all) this.unread.clear();
      for (const id of messages) {
        if (flag === 'read') this.unread.delete(id);
        if (flag === 'starred') this.starred.add(id);
        this.newestId = Math.max(this.newestId, id);
      }
    },
    'update_message_flags/remove': ({ flag, messages, message_details }) => {
      for (const id of messages) {
        if (flag === 'starred') this.starred.delete(id);
        if (flag === 'read') this.unread.set(id, fromDetails(message_details[id]));
        this.newestId = Math.max(this.newestId, id);
      }
    },
    // Reacting to a message gives the user a copy of it.
    'reaction/add': ({ user_id, message_id }) => {
      if (user_id === this.ownId()) this.newestId = Math.max(this.newestId, message_id);
    },
    'reaction/remove': () => undefined,
    submessage: () => undefined,
    attachment: () => undefined,
    typing: () => undefined,
    typing_edit_message: () => undefined,
    presence: () => undefined,
  };

  /** Unread messages that mention the reader; in muted topics, wildcard mentions do not count. */
  private mentions(): number[] {
    return [...this.unread].flatMap(([id, { mention, place }]) => {
      const isMention = mention !== null && !(mention === 'wildcard' && this.isMuted(place));
      return isMention ? [id] : [];
    });
  }

  /** Called when the client loses access to a channel. */
  forgetChannel(channelId: number): void {
    this.lostChannels.add(channelId);
  }

  private isLost({ place }: UnreadMessage): boolean {
    if (!('channelId' in place)) return false;
    return this.lostChannels.has(place.channelId) || !this.channels.knows(place.channelId);
  }

  /**
   * Whether muting determines if a message counts as a mention, and the client does not know which kind of mention it
   * is.
   */
  private isAmbiguous(id: number): boolean {
    const message = this.unread.get(id);
    return message?.mention === 'unknown' && 'channelId' in message.place;
  }

  private isMuted(place: UnreadMessage['place']): boolean {
    return 'channelId' in place && this.channels.isMuted(place.channelId, place.topic);
  }

  /** The server counts unmuted messages. */
  private checkCount(count: number): void {
    const expected = [...this.unread.values()].filter(({ place }) => !this.isMuted(place)).length;
    if (count !== expected) throw new NotUnderstood(`The count of unread is ${count}, and not ${expected}.`);
  }

  private peopleOf({ display_recipient }: Json): number[] {
    return this.others(display_recipient.map(({ id }: Json) => id));
  }

  private others(userIds: number[]): number[] {
    return userIds.filter((id) => id !== this.ownId()).sort((a, b) => a - b);
  }
}

/** Represents all messages among the uncertain ones. */
const NEWEST = 'all messages';

/** Topics are case-insensitive; the newest message determines the spelling. */
function describe(place: UnreadMessage['place']): string {
  return 'userIds' in place
    ? `with ${place.userIds.join()}`
    : `${place.channelId} > ${place.topic.toLowerCase()}`;
}

function mentionIn(flags: readonly string[]): Mention {
  if (flags.includes('mentioned')) return 'personal';
  return flags.some((flag) => flag.endsWith('wildcard_mentioned')) ? 'wildcard' : null;
}

function fromDetails(details: Json): UnreadMessage {
  const place =
    details.type === 'stream'
      ? { channelId: details.stream_id, topic: details.topic }
      : { userIds: [...details.user_ids].sort((a, b) => a - b) };
  return { place, mention: details.mentioned ? 'unknown' : null };
}
