import { Controller, Delete, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { ClientConnection, Connection } from '../../../platform/http/client-connection';
import { CurrentActor, NotRateLimited } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { RawJson } from '../../../platform/http/success-envelope';
import type { ServerEvent } from '../../../platform/events/server-event';
import type { QueueEvent } from '../queues/live-queue';
import { DeleteQueueDto, PollEventsDto } from './event-queues.dto';
import { EventQueuesService } from '../queues/event-queues.service';
import { PollEventsService } from './poll-events.service';

/** An event as a queue delivers it. */
export interface ClientEvent extends ServerEvent {
  readonly id: number;
}

/** The queues from which clients fetch events. */
@Controller('api/v1/events')
export class EventQueuesController {
  constructor(
    private readonly polls: PollEventsService,
    private readonly queues: EventQueuesService,
  ) {}

  /** Gives the events after the last one that the client names, and waits for some if there are none. */
  @Get()
  @NotRateLimited()
  async poll(
    @CurrentActor() actor: Actor,
    @Parameters() input: PollEventsDto,
    @Connection() connection: ClientConnection,
  ) {
    const { queue_id: queueId, last_event_id: lastEventId, dont_block: mayNotWait } = input;
    const poll = { queueId, lastEventId, mayWait: !mayNotWait };
    return eventsWire(await this.polls.poll(actor.userId, poll, connection));
  }

  /** Deletes an event queue. */
  @Delete()
  remove(@CurrentActor() actor: Actor, @Parameters() input: DeleteQueueDto): Promise<void> {
    return this.queues.remove(actor.userId, input.queue_id);
  }
}

/** The answer to a poll. */
function eventsWire(events: readonly QueueEvent[]): { events: RawJson<ClientEvent[]> } {
  return { events: new RawJson(`[${events.map(({ id, members }) => `{"id":${id},${members}}`).join(',')}]`) };
}
