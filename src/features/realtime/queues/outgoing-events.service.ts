import { Injectable } from '@nestjs/common';
import type { LoggedEvent } from '../../../platform/events/event-log.service';
import { NotificationDefaultsService } from '../../channels';
import { OrganizationDirectory } from '../../organization-settings';
import { AccountDirectory } from '../../users';
import { rowEventId } from './event-id';
import type { LiveQueue, QueueEvent } from './live-queue';
import { OutgoingEvent, type EmittedEvent, type Surroundings } from './outgoing-event';

/** Rows that were written as JSON lately are kept, since clients that come back ask for the same ones. */
const MAX_KEPT = 500;

/** Turns rows of the log into the events of queues. */
@Injectable()
export class OutgoingEventsService {
  private readonly kept = new Map<number, OutgoingEvent>();
  private readonly surroundings: Surroundings;

  constructor(
    organization: OrganizationDirectory,
    accounts: AccountDirectory,
    notifications: NotificationDefaultsService,
  ) {
    this.surroundings = {
      get emptyTopicName() {
        return organization.settings.empty_topic_display_name;
      },
      seesPublicChannels: (userId) => accounts.members.has(userId),
      withNotifications: (userId, subscription) => notifications.fillIn(userId, subscription),
    };
  }

  /** The events that a row makes in a queue: none where it is not for that queue. */
  eventsOf(row: LoggedEvent, queue: LiveQueue): QueueEvent[] {
    const outgoing = this.ofRow(row);
    if (!outgoing.isFor(queue)) return [];
    return outgoing.textsFor(queue).map((members, part) => ({ id: rowEventId(row.number, part), members }));
  }

  prepare(event: EmittedEvent): OutgoingEvent {
    return new OutgoingEvent(event, this.surroundings);
  }

  private ofRow(row: LoggedEvent): OutgoingEvent {
    let outgoing = this.kept.get(row.number);
    if (!outgoing) {
      outgoing = this.prepare(row);
      this.kept.set(row.number, outgoing);
      if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value as number);
    }
    return outgoing;
  }
}
