import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import { UserAccess } from '../users';
import { NoPresenceData, NoPresenceOfBots } from './presence.errors';
import { PresenceListService, type PresenceListWire, type PresenceQuestion } from './presence-list.service';
import { personPresenceWire } from './presence.wire';

/** Answers who was there when. */
@Injectable()
export class ReadPresenceService {
  constructor(
    private readonly database: Database,
    private readonly lists: PresenceListService,
    private readonly users: UserAccess,
    private readonly clock: Clock,
  ) {}

  list(actor: Actor, question: PresenceQuestion): Promise<PresenceListWire> {
    return this.lists.list(this.database.read, actor, question);
  }

  /** Everybody's, in the form of old clients. */
  async all(actor: Actor): Promise<Omit<PresenceListWire, 'presence_last_update_id'>> {
    const { presences, server_timestamp } = await this.list(actor, { isSlim: false });
    return { presences, server_timestamp };
  }

  /**
   * @param idOrEmail digits are an ID
   * @throws NoSuchUser, InsufficientPermission, NoPresenceOfBots, NoPresenceData
   */
  async one(actor: Actor, idOrEmail: string) {
    const isId = /^\d+$/.test(idOrEmail);
    const account = await this.users.presentForReading(actor, isId ? Number(idOrEmail) : idOrEmail);
    if (account.isBot) throw new NoPresenceOfBots();
    const record = await this.lists.one(this.database.read, account);
    if (!record) throw new NoPresenceData(idOrEmail);
    return personPresenceWire(record, this.clock.nowSeconds());
  }
}
