import { type RegisterRequest, registrationWire, type RegistrationWire } from './register.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import { ChannelAccess } from '../../channels/channels.module';
import { EventQueuesService } from '../queues/event-queues.service';
import { InitialStateService, type InitialState } from './initial-state.service';
import { QueueLifetimesService } from '../queues/queue-lifetimes.service';
import { isHiddenFromNamedKeys } from '../queues/queue-options';
import { QueueOptionsService } from './queue-options.service';
import { ParameterNotForAnonymous } from '../realtime.api';

/** Registers clients: they get the present state, and a queue of every event from then on. */
@Injectable()
export class RegisterService {
  constructor(
    private readonly options: QueueOptionsService,
    private readonly lifetimes: QueueLifetimesService,
    private readonly state: InitialStateService,
    private readonly queues: EventQueuesService,
    private readonly channels: ChannelAccess,
  ) {}

  /**
   * Without an account there is a state but no queue, if the organization shows anything to the web.
   * @throws Unauthorized, ParameterNotForAnonymous, InvalidIdleTimeout, and the errors of {@link QueueOptionsService}
   */
  async register(actor: Actor | null, request: RegisterRequest): Promise<RegistrationWire> {
    if (actor === null) return this.registerAnonymous(request);
    const options = this.options.of(actor, request);
    const idleTimeoutMs = this.lifetimes.idleTimeoutMs(request.idleTimeout);
    const { keys, eventNumber } = await this.readState(actor, request, options.clientGravatar);
    // Everything up to this number is in the state, and nothing after it: no event is lost or delivered twice.
    const place = { userId: actor.userId, startNumber: eventNumber };
    const queue = await this.queues.create({ ...place, options, idleTimeoutMs });
    return registrationWire(keys, queue);
  }

  private async registerAnonymous(request: RegisterRequest): Promise<RegistrationWire> {
    if (!this.channels.webPublicChannelsOffered) {
      throw new NotLoggedIn();
    }
    if (request.clientGravatar) throw new ParameterNotForAnonymous('client_gravatar');
    if (request.includeSubscribers !== false) throw new ParameterNotForAnonymous('include_subscribers');
    const { keys } = await this.readState(null, request, false);
    return registrationWire(keys, null);
  }

  private readState(
    reader: Actor | null,
    request: RegisterRequest,
    clientGravatar: boolean,
  ): Promise<InitialState> {
    const types = request.fetchTypes && new Set(request.fetchTypes);
    const isShown = (fetchType: string) => !(reader?.limit && isHiddenFromNamedKeys(fetchType));
    return this.state.read({
      reader,
      capabilities: new Set(request.capabilities),
      wants: (fetchType) => isShown(fetchType) && (types?.has(fetchType) ?? true),
      isNamed: (fetchType) => types?.has(fetchType) ?? false,
      includeSubscribers: request.includeSubscribers,
      clientGravatar,
      slimPresence: request.slimPresence,
      presenceHistoryDays: request.presenceHistoryDays,
    });
  }
}
