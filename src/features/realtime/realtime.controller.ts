import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type EventsAnswer, PollEventsService } from './polling/poll-events.service';
import { EventQueuesService } from './queues/event-queues.service';
import { DeleteQueueDto, NotNamed, PollEventsDto } from './realtime.api';
import { RegisterDto, toRegisterRequest } from './registration/register.api';
import { RegisterService } from './registration/register.service';
import type { Actor } from '../../platform/actor';
import {
  CurrentActor,
  KeepsToChannels,
  NeedsScope,
  NotRateLimited,
  OptionalCredentials,
} from '../../platform/http/decorators';
import { LaterAnswer } from '../../platform/http/envelope.interceptor';
import { AnswersLater } from '../../platform/http/later-answers';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** The queues from which clients fetch events. */
@Controller('api/v1/events')
@NeedsScope('read')
export class EventQueuesController {
  constructor(
    private readonly polls: PollEventsService,
    private readonly queues: EventQueuesService,
  ) {}

  /** Returns the events after the given one, and waits if there are none. */
  @Get()
  @NotRateLimited()
  @AnswersLater()
  @KeepsToChannels()
  async poll(
    @CurrentActor() actor: Actor,
    @Parameters() input: PollEventsDto,
    @Res() reply: FastifyReply,
  ): Promise<LaterAnswer<EventsAnswer>> {
    const { queue_id: queueId, last_event_id: lastEventId, dont_block: mayNotWait } = input;
    if (queueId === undefined) throw new NotNamed('queue_id');
    if (lastEventId === undefined) throw new NotNamed('last_event_id');
    const answer = new LaterAnswer<EventsAnswer>(reply);
    await this.polls.poll(actor, { queueId, lastEventId, mayWait: !mayNotWait }, answer);
    return answer;
  }

  /** Deletes an event queue. */
  @Delete()
  @KeepsToChannels()
  remove(@CurrentActor() actor: Actor, @Parameters() input: DeleteQueueDto): Promise<void> {
    return this.queues.remove(actor, input.queue_id);
  }
}

/** Registration of clients. */
@Controller('api/v1/register')
@NeedsScope('read')
export class RegisterController {
  constructor(private readonly registration: RegisterService) {}

  /** Registers a client: returns the current state, and a queue of all later events. */
  @Post()
  @OptionalCredentials()
  @KeepsToChannels()
  register(@CurrentActor() actor: Actor | null, @Parameters() input: RegisterDto) {
    return this.registration.register(actor, toRegisterRequest(input));
  }
}
