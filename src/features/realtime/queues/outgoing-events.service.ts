import { Injectable } from '@nestjs/common';
import type { LoggedEvent } from '../../../platform/events/event-log.service';
import { commitsLost } from '../../../platform/database/database.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { NotificationDefaultsService } from '../../channels';
import { OrganizationDirectory } from '../../organization-settings';
import { AccountDirectory } from '../../users';
import type { LiveQueue, QueueEvent } from './live-queue';
import { type EmittedEvent, OutgoingEvent, type Surroundings } from './outgoing-event';

/** Rows that were serialized lately stay in a cache, because clients that come back ask for the same ones. */
const MAX_CACHED = 500;

/** Turns rows of the log into the events of queues. */
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
    // Numbers of events that were lost are given to others.
    hooks.on(commitsLost, () => this.cache.clear());
    this.surroundings = {
      get emptyTopicName() {
        return organization.settings.empty_topic_display_name;
      },
      seesPublicChannels: (userId) => accounts.members.has(userId),
      withNotifications: (userId, subscription) => notifications.fillIn(userId, subscription),
    };
  }

  /** The events that a row makes in a queue: none if it is not for that queue. */
  eventsOf(row: LoggedEvent, queue: LiveQueue): readonly QueueEvent[] {
    // Another node may have registered the client, and have read further than this one.
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
