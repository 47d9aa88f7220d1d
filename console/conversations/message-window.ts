import { batch, computed, signal } from '@preact/signals';
import type { Message, Reaction, ServerEvent } from '../connection/records';
import { epoch, myId, onEvent } from '../connection/state';
import { sentenceOf } from '../parts/task';
import { ask, earlyAnswer, rangeAround, STEP, type FoundMessages, type MessageRange } from './asking';
import { fits, type Narrow } from './narrow';

/** Maximum number of messages kept and rendered. Those far from the user are dropped, and fetched again on approach. */
const MOST = 400;
/** Maximum number kept at the end of a page that is not open. */
const RESTING = 100;
/** Rows are removed in batches, because each removal makes the browser lay out all others. */
const CUT = 50;

/** A contiguous range of a narrow's messages, kept up to date by events. */
export class MessageWindow {
  readonly messages = signal<readonly Message[]>([]);
  private readonly ids = computed(() => new Set(this.messages.value.map(({ id }) => id)));
  readonly state = signal<'loading' | 'ready'>('loading');
  readonly error = signal('');
  /** Number of new messages that are not kept, because the user is far above. */
  readonly beyond = signal(0);
  /** Whether the user is at the end and follows it. */
  isFollowed = false;
  hasOldest = false;
  hasNewest = false;
  /** Counts the user's requests to show the end. */
  readonly toEnd = signal(0);
  /** Where to start: at a message ID, or at the first unread message. */
  goal: number | 'newest' | 'first_unread';
  /** ID of the message at the top of the screen. */
  top: number | null = null;
  /** IDs of messages that were marked as unread again, and stay unread for now. */
  readonly kept = new Set<number>();
  /** Distance of the top message from the top edge. */
  offset = 0;
  /** Scroll position when the page was left, unless it was at the end. */
  returnsTo: { readonly id: number; readonly offset: number } | null = null;
  /** Whether a message for this narrow was moved here while the page was closed. */
  isBehind = false;
  /** The epoch since which events have kept the messages up to date. */
  epochShown = 0;
  /** Called when all shown messages have moved elsewhere while the page is open. */
  onGone: ((example: Message) => void) | null = null;
  private isResting = false;
  private readonly stop: () => void;
  /** Number of requests; a response is ignored once there is a newer request. */
  private asked = 0;
  /** Events during the pending request, whose response may be older. */
  private meanwhile: ServerEvent[] | null = null;

  constructor(
    readonly narrow: Narrow,
    near: number | null,
  ) {
    this.goal = this.goalFor(near);
    this.stop = onEvent((event) => {
      this.meanwhile?.push(event);
      this.take(event);
    });
  }

  private goalFor(near: number | null): MessageWindow['goal'] {
    return near ?? ('text' in this.narrow || 'flag' in this.narrow ? 'newest' : 'first_unread');
  }

  /** Puts the window to rest while its page is closed; events still update it. @returns whether it is worth keeping */
  rest(): boolean {
    if (this.state.value === 'loading' || this.error.value || this.messages.value.length === 0) return false;
    this.returnsTo = this.isFollowed || this.top === null ? null : { id: this.top, offset: this.offset };
    if (this.isFollowed && this.messages.value.length > RESTING) {
      this.messages.value = this.messages.value.slice(-RESTING);
      this.hasOldest = false;
    }
    this.isFollowed = false;
    this.isResting = true;
    this.onGone = null;
    return true;
  }

  /** Wakes the window when its page opens, if the kept messages include the start. */
  canShow(near: number | null): boolean {
    const messages = this.messages.value;
    // After a link to a message far above the unread ones, opening the page without the link starts elsewhere.
    const isWhereOneWas = this.hasNewest || (typeof this.goal !== 'number' && this.beyond.value === 0);
    const isThere = near === null ? isWhereOneWas : this.ids.value.has(near);
    if (!isThere || messages.length === 0) return false;
    this.isResting = false;
    this.goal = this.goalFor(near);
    this.kept.clear();
    return true;
  }

  /** Unsubscribes from events. */
  close(): void {
    this.stop();
  }

  /** Loads messages around the goal. */
  async open(): Promise<void> {
    this.messages.value = [];
    this.returnsTo = null;
    this.hasOldest = this.hasNewest = false;
    const range = rangeAround(this.goal);
    const early = earlyAnswer(this.narrow, range);
    await this.fetch(range, true, early);
  }

  /** Reloads messages around the user's position, after missed events or a failure. */
  async refresh(): Promise<void> {
    await this.fetch(rangeAround(this.top ?? this.goal), true);
  }

  /** Shows the end, from any position. */
  async showEnd(): Promise<void> {
    this.goal = 'newest';
    this.toEnd.value++;
    if (!this.hasNewest) await this.open();
  }

  async loadOlder(): Promise<void> {
    const first = this.messages.value[0];
    if (!first || this.hasOldest || this.state.value === 'loading') return;
    await this.fetch({ anchor: first.id, num_before: STEP, num_after: 0, include_anchor: false });
    if (this.messages.value.length <= MOST) return;
    this.messages.value = this.messages.value.slice(0, MOST);
    this.hasNewest = false;
  }

  async loadNewer(): Promise<void> {
    const last = this.messages.value.at(-1);
    if (!last || this.hasNewest || this.state.value === 'loading') return;
    await this.fetch({ anchor: last.id, num_before: 0, num_after: STEP, include_anchor: false });
    this.cutOldest(MOST);
  }

  private cutOldest(kept: number): void {
    if (this.messages.value.length <= MOST) return;
    this.messages.value = this.messages.value.slice(-kept);
    this.hasOldest = false;
  }

  /**
   * @param isNew whether the response replaces the known messages
   * @param early a response that may be older than the state, shown until the next one arrives
   */
  private async fetch(
    range: MessageRange,
    isNew = false,
    early?: Promise<FoundMessages | null>,
  ): Promise<void> {
    const asked = ++this.asked;
    this.meanwhile = [];
    this.state.value = 'loading';
    this.error.value = '';
    if (isNew) {
      this.isBehind = false;
      this.epochShown = epoch.value;
    }
    try {
      const before = await early;
      if (before && asked === this.asked) this.show(before, range, []);
      const found = await ask(this.narrow, range);
      if (asked !== this.asked) return;
      batch(() => {
        this.show(found, range, isNew ? [] : this.messages.value);
        this.state.value = 'ready';
        const missed = this.meanwhile ?? [];
        this.meanwhile = null;
        for (const event of missed) this.take(event);
      });
    } catch (failure) {
      if (asked !== this.asked) return;
      this.meanwhile = null;
      this.error.value = sentenceOf(failure);
      this.state.value = 'ready';
    }
  }

  private show(found: FoundMessages, range: MessageRange, known: readonly Message[]): void {
    batch(() => {
      this.messages.value = known;
      this.merge(found.messages);
      if (range.num_before) this.hasOldest = found.found_oldest;
      if (range.num_after) this.hasNewest = found.found_newest;
      if (this.hasNewest) this.beyond.value = 0;
    });
  }

  /** Keeps known messages, which events have kept up to date; the response may be older. */
  private merge(found: readonly Message[]): void {
    const added = found.filter(({ id }) => !this.ids.value.has(id));
    this.messages.value = [...this.messages.value, ...added].sort((one, other) => one.id - other.id);
  }

  private change(ids: readonly number[], make: (message: Message) => Message): void {
    const meant = new Set(ids.filter((id) => this.ids.value.has(id)));
    if (meant.size === 0) return;
    this.messages.value = this.messages.value.map((each) => (meant.has(each.id) ? make(each) : each));
  }

  private take(event: ServerEvent): void {
    switch (event.type) {
      case 'message': {
        const message: Message = { ...event.message, flags: event.flags };
        if (fits(this.narrow, message)) this.append(message);
        break;
      }
      case 'update_message':
        this.takeEdit(event);
        break;
      case 'delete_message': {
        const gone = new Set<number>(event.message_ids ?? [event.message_id]);
        this.messages.value = this.messages.value.filter(({ id }) => !gone.has(id));
        break;
      }
      case 'reaction':
        this.change([event.message_id], (message) => ({ ...message, reactions: reacted(message, event) }));
        break;
      case 'submessage': {
        const { submessage_id: id, sender_id, msg_type, content } = event;
        this.change([event.message_id], (message) => {
          const others = (message.submessages ?? []).filter((each) => each.id !== id);
          return { ...message, submessages: [...others, { id, sender_id, msg_type, content }] };
        });
        break;
      }
      case 'update_message_flags': {
        const ids: readonly number[] = event.all ? [...this.ids.value] : event.messages;
        const isUnread = event.flag === 'read' && event.op === 'remove';
        if (isUnread && !this.isResting) for (const id of ids) this.kept.add(id);
        this.change(ids, (message) => {
          const others = message.flags.filter((flag) => flag !== event.flag);
          return { ...message, flags: event.op === 'add' ? [...others, event.flag as string] : others };
        });
        break;
      }
    }
  }

  /** Appends a message if the end is loaded. Removes rows above the user, but no unseen rows below. */
  private append(message: Message): void {
    const isRoom = this.isFollowed || this.messages.value.length < MOST;
    if (this.hasNewest && isRoom) {
      this.merge([message]);
      this.cutOldest(MOST - CUT);
    } else if (this.isResting || !isMine(message)) {
      this.hasNewest = false;
      this.beyond.value++;
    }
  }

  private takeEdit(event: ServerEvent): void {
    if (event.rendered_content !== undefined) {
      this.change([event.message_id], (message) => ({
        ...message,
        content: event.rendered_content,
        match_content: undefined,
        flags: event.flags,
        ...(event.edit_timestamp && !event.rendering_only && { last_edit_timestamp: event.edit_timestamp }),
      }));
    }
    if (event.subject === undefined && event.new_stream_id === undefined) return;
    const moved = new Set(event.message_ids as number[]);
    const there = {
      type: 'stream',
      stream_id: event.new_stream_id ?? event.stream_id,
      subject: event.subject ?? event.orig_subject,
    } as Message;
    this.change([...moved], (message) => ({ ...message, ...there }));
    const known = this.messages.value;
    this.messages.value = known.filter((message) => !moved.has(message.id) || fits(this.narrow, message));
    const isKnown = known.some(({ id }) => moved.has(id));
    if (isKnown && this.messages.value.length === 0) this.onGone?.(there);
    const hasCome = !isKnown && 'channelId' in this.narrow && fits(this.narrow, there);
    if (hasCome && this.isResting) this.isBehind = true;
    else if (hasCome && this.state.value === 'ready') void this.refresh();
  }
}

function reacted(message: Message, { op, ...event }: ServerEvent): readonly Reaction[] {
  const { user_id, emoji_name, emoji_code, reaction_type } = event as unknown as Reaction;
  const others = message.reactions.filter(
    (each) =>
      each.user_id !== user_id || each.emoji_code !== emoji_code || each.reaction_type !== reaction_type,
  );
  return op === 'add' ? [...others, { user_id, emoji_name, emoji_code, reaction_type }] : others;
}

/** Whether the user sent the message. */
export function isMine(message: Message): boolean {
  return message.sender_id === myId.value;
}
