import { Injectable } from '@nestjs/common';
import { Form, type LiveQueue, type QueueEvent, rowEventId } from './live-queue';
import { happenedIn, type NarrowedMessage } from './queue-options';
import { commitsLost } from '../../../platform/database/database.hooks';
import type { Audience } from '../../../platform/events/audience';
import type { LoggedEvent } from '../../../platform/events/event-log.service';
import { type EmitOptions, isForCapabilities } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import { NotificationDefaultsService, NULL_NOTIFICATIONS } from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';

/** An event as an object. */
type EventObject = Record<string, unknown>;

/** The keys that contain the topic in an event. */
const TOPIC_KEYS = ['topic', 'subject', 'orig_subject', 'topic_name'];

/** JSON that may contain the empty topic. */
const EMPTY_TOPIC = new RegExp(`"(${TOPIC_KEYS.join('|')})":""`);

/** The objects in an event that contain topics: the event itself, and its details of messages that became unread. */
function topicPlaces(payload: EventObject): EventObject[] {
  return [payload, ...Object.values((payload['message_details'] ?? {}) as Record<string, EventObject>)];
}

/** Whether the event contains the empty topic, which some clients do not support. */
function hasEmptyTopic(payload: EventObject): boolean {
  return topicPlaces(payload).some((place) => TOPIC_KEYS.some((key) => place[key] === ''));
}

/** Replaces the empty topic with a name, for clients that do not support it. */
function nameEmptyTopic(payload: EventObject, name: string): void {
  for (const place of topicPlaces(payload)) {
    for (const key of TOPIC_KEYS) if (place[key] === '') place[key] = name;
  }
}

/** Splits a deletion, for clients that only support deletions of single messages. */
function singleDeletions({ message_ids: messageIds, ...rest }: EventObject): EventObject[] {
  if (!Array.isArray(messageIds)) return [rest];
  return messageIds.map((messageId: unknown) => ({ ...rest, message_id: messageId }));
}

/** Recently serialized rows are cached, because reconnecting clients request the same ones. */
const MAX_CACHED = 500;

/** Converts rows of the log to the events of queues. */
@Injectable()
export class OutgoingEventsService {
  private readonly cache = new Map<number, OutgoingEvent>();
  private readonly surroundings: Surroundings;

  constructor(
    organization: OrganizationDirectory,
    accounts: AccountDirectory,
    notifications: NotificationDefaultsService,
    hooks: Hooks,
  ) {
    // The numbers of lost events are reused.
    hooks.on(commitsLost, () => this.cache.clear());
    this.surroundings = {
      get emptyTopicName() {
        return organization.settings.empty_topic_display_name;
      },
      seesPublicChannels: (userId) => accounts.members.has(userId),
      withNotifications: (userId, subscription) => notifications.fillIn(userId, subscription),
    };
  }

  /** The events of a row for a queue: none if it is not for that queue. */
  eventsOf(row: LoggedEvent, queue: LiveQueue): readonly QueueEvent[] {
    // Another node, further ahead than this one, may have registered the client.
    if (row.number <= queue.startNumber) return [];
    const outgoing = this.ofRow(row);
    return outgoing.isFor(queue) ? outgoing.eventsFor(queue, row.number) : [];
  }

  prepare(event: EmittedEvent): OutgoingEvent {
    return new OutgoingEvent(event, this.surroundings);
  }

  private ofRow(row: LoggedEvent): OutgoingEvent {
    let outgoing = this.cache.get(row.number);
    if (!outgoing) {
      outgoing = this.prepare(row);
      this.cache.set(row.number, outgoing);
      if (this.cache.size > MAX_CACHED) this.cache.delete(this.cache.keys().next().value as number);
    }
    return outgoing;
  }
}

/** An event as it was emitted: a row of the log, or a transient event. */
export interface EmittedEvent {
  readonly type: string;
  /** The event as JSON. */
  readonly payload: string;
  readonly audience: Audience;
  readonly options: EmitOptions;
}

/** The data that events need from the organization. */
interface Surroundings {
  /** The name of the empty topic for clients that do not support it. */
  readonly emptyTopicName: string;
  /** Whether the person may see public channels to which they are not subscribed. */
  seesPublicChannels(userId: number): boolean;
  /** A subscription record in which null notification settings are replaced by the effective ones. */
  withNotifications(userId: number, subscription: object): object;
}

/** One form of the event: the members of its object as JSON, without braces and without the personal ones. */
type Variant = readonly string[];

/**
 * An event on its way to queues. It is serialized once per form that clients require; values that differ between people
 * are inserted into that JSON.
 */
class OutgoingEvent {
  private readonly variants = new Map<number, Variant>();
  /** Bits of {@link Form} that affect this event. */
  private readonly forms: number;
  private readonly personalKeys: readonly string[];
  private common: EventObject | undefined;
  private tail: string | undefined;
  /** The events of people without special values, by form. */
  private readonly shared = new Map<number, readonly QueueEvent[]>();
  /**
   * Whether it contains subscription records, in which null has to be replaced for the few clients that do not support
   * it.
   */
  private readonly leavesNotificationsOpen: boolean;
  private narrowed: Omit<NarrowedMessage, 'flags'> | undefined;

  constructor(
    private readonly event: EmittedEvent,
    private readonly surroundings: Surroundings,
  ) {
    this.forms = this.relevantForms();
    this.personalKeys = this.keysOfPersons();
    this.leavesNotificationsOpen = event.type === 'subscription' && this.parsed()['op'] === 'add';
  }

  isFor(queue: LiveQueue): boolean {
    const { type, audience, options } = this.event;
    if (!queue.wantsType(type) || !isForCapabilities(options, queue.capabilities)) return false;
    if (!audience.has(queue.userId) && !this.isOpenTo(queue)) return false;
    if (queue.channelIds !== null && !happenedIn(queue.channelIds, this.parsed())) return false;
    return type !== 'message' || !queue.isNarrowed || queue.wantsMessage(this.messageFor(queue));
  }

  /** The events for the queue, as JSON without ID: several if the client receives one deletion at a time. */
  textsFor(queue: LiveQueue): readonly string[] {
    if (this.fillsIn(queue)) return [this.withNotifications(queue)];
    const variant = this.variant(queue.form & this.forms);
    const tail = this.isCommonTo(queue) ? this.commonTail() : this.personalTail(queue);
    return tail === '' ? variant : variant.map((members) => `${members},${tail}`);
  }

  /**
   * The events for the queue with their IDs. Queues with equal events share the same list.
   * @param number that of the row
   */
  eventsFor(queue: LiveQueue, number: number): readonly QueueEvent[] {
    const isShared = this.isCommonTo(queue) && !this.fillsIn(queue);
    const form = queue.form & this.forms;
    let events = isShared ? this.shared.get(form) : undefined;
    if (!events) {
      events = this.textsFor(queue).map((members, part) => ({ id: rowEventId(number, part), members }));
      if (isShared) this.shared.set(form, events);
    }
    return events;
  }

  /** Whether a person outside the audience receives it, as a message of a public channel. */
  private isOpenTo({ takesOpenMessages, userId }: LiveQueue): boolean {
    const { open } = this.event.options;
    if (!open || !takesOpenMessages || open.except.has(userId)) return false;
    return this.surroundings.seesPublicChannels(userId);
  }

  private messageFor(queue: LiveQueue): NarrowedMessage {
    this.narrowed ??= narrowedMessage(this.parsed());
    return { ...this.narrowed, flags: this.personalPart(queue)['flags'] as readonly string[] };
  }

  private variant(form: number): Variant {
    let variant = this.variants.get(form);
    if (!variant) this.variants.set(form, (variant = this.write(form)));
    return variant;
  }

  private withNotifications({ userId }: LiveQueue): string {
    const { subscriptions, ...rest } = this.parsed();
    const records = subscriptions as readonly object[];
    return members({
      ...rest,
      subscriptions: records.map((record) => this.surroundings.withNotifications(userId, record)),
    });
  }

  private write(form: number): Variant {
    if (form === 0 && this.personalKeys.length === 0) return [this.event.payload.slice(1, -1)];
    const { alternatives = {} } = this.event.options;
    const payload = this.parsed();
    for (const key of this.personalKeys) delete payload[key];
    const message = payload['message'] as EventObject | undefined;
    if (form & Form.markdown) Object.assign(message ?? {}, alternatives['markdown']);
    if (form & Form.gravatar) Object.assign(message ?? {}, alternatives['gravatar']);
    if (form & Form.shownEmptyTopic) {
      Object.assign(message ?? {}, alternatives['shown_empty_topic']);
      nameEmptyTopic(payload, this.surroundings.emptyTopicName);
    }
    return (form & Form.singleDeletions ? singleDeletions(payload) : [payload]).map(members);
  }

  /** Whether the queue receives the same as everyone in the audience without special values. */
  private isCommonTo(queue: LiveQueue): boolean {
    const { options, audience } = this.event;
    const isEcho = options.queue?.id === queue.id;
    return !isEcho && audience.has(queue.userId) && !options.personal?.has(queue.userId);
  }

  private fillsIn({ capabilities }: LiveQueue): boolean {
    return this.leavesNotificationsOpen && !capabilities.has(NULL_NOTIFICATIONS);
  }

  private commonTail(): string {
    this.tail ??= members(this.commonValues());
    return this.tail;
  }

  /** The members that are specific to the queue, as JSON without braces. */
  private personalTail(queue: LiveQueue): string {
    const { queue: echo } = this.event.options;
    return members({ ...this.personalPart(queue), ...(echo?.id === queue.id ? echo.extra : {}) });
  }

  /** The values of the keys that differ between people. */
  private personalPart({ userId }: LiveQueue): EventObject {
    const { personal } = this.event.options;
    // A person who receives a message without being a recipient has no flags on it.
    if (!this.event.audience.has(userId)) return { ...this.commonValues(), flags: [] };
    return { ...this.commonValues(), ...personal?.get(userId) };
  }

  /** The default values in the event itself. */
  private commonValues(): EventObject {
    if (this.personalKeys.length === 0) return {};
    if (!this.common) {
      const payload = this.parsed();
      this.common = Object.fromEntries(this.personalKeys.map((key) => [key, payload[key]]));
    }
    return this.common;
  }

  private keysOfPersons(): string[] {
    const keys = new Set(this.event.type === 'message' ? ['flags'] : []);
    for (const own of this.event.options.personal?.values() ?? []) {
      for (const key of Object.keys(own)) keys.add(key);
    }
    return [...keys];
  }

  private relevantForms(): number {
    const { type, payload, options } = this.event;
    const { markdown, gravatar, shown_empty_topic: topicShown } = options.alternatives ?? {};
    return (
      (markdown ? Form.markdown : 0) |
      (gravatar ? Form.gravatar : 0) |
      (topicShown || (EMPTY_TOPIC.test(payload) && hasEmptyTopic(this.parsed())) ? Form.shownEmptyTopic : 0) |
      (type === 'delete_message' ? Form.singleDeletions : 0)
    );
  }

  private parsed(): EventObject {
    return JSON.parse(this.event.payload) as EventObject;
  }
}

function members(payload: EventObject): string {
  return JSON.stringify(payload).slice(1, -1);
}

function narrowedMessage(payload: EventObject): Omit<NarrowedMessage, 'flags'> {
  const message = payload['message'] as EventObject;
  const isDirect = message['type'] === 'private';
  return {
    isDirect,
    channelName: isDirect ? '' : String(message['display_recipient']),
    topic: String(message['subject']),
    senderEmail: String(message['sender_email']),
  };
}
