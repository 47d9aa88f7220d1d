import { Injectable } from '@nestjs/common';
import { QueueOptionsService } from './queue-options.service';
import { type RegisterRequest, registrationWire, type RegistrationWire } from './register.api';
import type { Actor } from '../../../platform/actor';
import { readInitialState, type StateRequest } from '../../../platform/client-state/initial-state.hooks';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import { ChannelAccess } from '../../channels/channels.module';
import { EventQueuesService, QueueLifetimesService } from '../queues/event-queues.service';
import { isHiddenFromNamedKeys } from '../queues/queue-options';
import { ParameterNotForAnonymous } from '../realtime.api';

/** The initial state of a client, and the number of the last event that it includes. */
interface InitialState {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly eventNumber: number;
}

/** How many concurrent changes of the directories are tolerated before changes are locked out. */
const MAX_ATTEMPTS = 3;

/** Reads the initial state of clients, consistent with a known position in the log. */
@Injectable()
export class InitialStateService {
  constructor(
    private readonly hooks: Hooks,
    private readonly directories: Directories,
    private readonly database: Database,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Reads half of the state from a database snapshot, half from the directories in memory; both have the same version
   * if the directories' version did not change meanwhile. If it changes too often, locks out directory changes while
   * reading.
   */
  async read(request: StateRequest): Promise<InitialState> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const state = await this.attempt(request);
      if (state) return state;
    }
    const state = await this.transactions.runExclusive(() => this.attempt(request));
    if (!state) throw new Error('Directories changed during a read that requires them to be stable.');
    return state;
  }

  /** @returns null if the directories changed in between */
  private async attempt(request: StateRequest): Promise<InitialState | null> {
    const view = await this.database.openSnapshot();
    try {
      await this.directories.catchUp();
      if (this.directories.version !== view.directoryVersion) return null;
      const keys = await readInitialState(this.hooks, view.db, request);
      const isSame = this.directories.version === view.directoryVersion;
      return isSame ? { keys, eventNumber: view.eventNumber } : null;
    } finally {
      await view.close();
    }
  }
}

/** Registers clients: they receive the current state, and a queue of all later events. */
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
   * Without an account there is a state but no queue, if the organization is web-public.
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
    // Nearly all state includes data about other channels, and programs with such a key need none.
    const isStateless = Boolean(reader?.limit?.channelIds);
    const isShown = (fetchType: string) =>
      !isStateless && !(reader?.limit && isHiddenFromNamedKeys(fetchType));
    return this.state.read({
      reader,
      capabilities: new Set(request.capabilities),
      wants: (fetchType) => isShown(fetchType) && (types?.has(fetchType) ?? true),
      isNamed: (fetchType) => !isStateless && (types?.has(fetchType) ?? false),
      includeSubscribers: request.includeSubscribers,
      clientGravatar,
      slimPresence: request.slimPresence,
      presenceHistoryDays: request.presenceHistoryDays,
    });
  }
}
