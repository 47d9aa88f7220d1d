import {
  type PresenceQuestion,
  legacyPresenceWire,
  type LegacyPresenceWire,
  NoPresenceData,
  NoPresenceOfBots,
  personPresenceWire,
  type PersonPresenceWire,
  presenceWire,
  type PresenceWire,
} from './presence.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type AccountRecord,
  personalSetting,
  UserAccess,
  UserVisibility,
  type Viewer,
} from '../../users/users.module';
import { PresenceDirectory, type PresenceRecord } from './presence.directory';
import { PresenceStoreService } from './presence-store.service';

/** Presence of many people. */
export interface PresenceListWire {
  readonly presences: RawJson<Record<string, PresenceWire | LegacyPresenceWire>>;
  /**
   * UNIX seconds with a fraction.
   * @fraction
   */
  readonly server_timestamp: number;
  readonly presence_last_update_id: number;
}

/** Presence of one person. */
export interface PersonPresenceAnswer {
  readonly presence: PersonPresenceWire;
  /**
   * UNIX seconds with a fraction.
   * @fraction
   */
  readonly server_timestamp: number;
}

const DEFAULT_HISTORY_DAYS = 14;
const SECONDS_PER_DAY = 86_400;
const NOTHING = new RawJson<Record<string, never>>('{}');

/** Lists who was online when, for people who may see them. */
@Injectable()
export class PresenceListService {
  /** The current form as JSON: each record is serialized once and sent to everyone. */
  private readonly texts = new WeakMap<PresenceRecord, string>();

  constructor(
    private readonly directory: PresenceDirectory,
    private readonly store: PresenceStoreService,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    private readonly organization: OrganizationDirectory,
    private readonly access: UserAccess,
    private readonly database: Database,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('presence', async (db, { reader, slimPresence, presenceHistoryDays }) => ({
        ...(await this.list(db, reader, {
          isSlim: slimPresence,
          historyDays: presenceHistoryDays ?? undefined,
        })),
      })),
    );
  }

  /** The presence of everyone whom the caller sees. */
  listFor(actor: Actor, question: PresenceQuestion): Promise<PresenceListWire> {
    return this.list(this.database.read, actor, question);
  }

  /** Everyone's presence, in the legacy form. */
  async all(actor: Actor): Promise<Omit<PresenceListWire, 'presence_last_update_id'>> {
    const { presences, server_timestamp } = await this.listFor(actor, { isSlim: false });
    return { presences, server_timestamp };
  }

  /**
   * One person's presence.
   * @param idOrEmail digits are an ID
   * @throws NoSuchUser, InsufficientPermission, NoPresenceOfBots, NoPresenceData
   */
  async one(actor: Actor, idOrEmail: string): Promise<PersonPresenceAnswer> {
    const isId = /^\d+$/.test(idOrEmail);
    const account = await this.access.presentForReading(actor, isId ? Number(idOrEmail) : idOrEmail);
    if (account.isBot) throw new NoPresenceOfBots();
    await this.store.catchUp(this.database.read);
    const isHidden = this.organization.settings.presence_disabled || !isShared(account);
    const record = isHidden ? undefined : this.directory.byId(account.id);
    if (!record) throw new NoPresenceData(idOrEmail);
    const presence = personPresenceWire(record, account.dateJoined, this.clock.nowSeconds());
    return { presence, server_timestamp: this.clock.nowMs() / 1000 };
  }

  /** @param viewer null for a person without an account, who sees nobody's presence */
  private async list(
    db: Queryable,
    viewer: Viewer | null,
    question: PresenceQuestion,
  ): Promise<PresenceListWire> {
    const server_timestamp = this.clock.nowMs() / 1000;
    if (viewer === null || this.organization.settings.presence_disabled) {
      return { presences: NOTHING, server_timestamp, presence_last_update_id: question.after ?? -1 };
    }
    await this.store.catchUp(db);
    const sees = await this.visibility.filterFor(db, viewer);
    const isAsked = this.filter(question);
    const members: string[] = [];
    for (const record of this.directory.all()) {
      const account = this.accounts.byId(record.userId);
      if (!account || !isAsked(record) || !isShared(account) || !sees(account)) continue;
      members.push(question.isSlim ? this.member(record, account) : this.legacyMember(record, account));
    }
    const presences = new RawJson<Record<string, PresenceWire | LegacyPresenceWire>>(
      `{${members.join(',')}}`,
    );
    const presence_last_update_id = Math.max(this.directory.lastUpdateId, question.after ?? -1);
    return { presences, server_timestamp, presence_last_update_id };
  }

  private filter({ after = -1, historyDays }: PresenceQuestion): (record: PresenceRecord) => boolean {
    if (after > 0) return ({ updateId }) => updateId > after - this.store.lag;
    const since = this.clock.nowSeconds() - (historyDays ?? DEFAULT_HISTORY_DAYS) * SECONDS_PER_DAY;
    return ({ connectedAt }) => connectedAt >= since;
  }

  private member(record: PresenceRecord, { id, dateJoined }: AccountRecord): string {
    let text = this.texts.get(record);
    if (text === undefined) {
      text = `"${id}":${JSON.stringify(presenceWire(record, dateJoined))}`;
      this.texts.set(record, text);
    }
    return text;
  }

  private legacyMember(record: PresenceRecord, account: AccountRecord): string {
    return `${JSON.stringify(this.accounts.apiEmail(account))}:${JSON.stringify(legacyPresenceWire(record))}`;
  }
}

/** Whether others may see when the person was online. */
export function isShared({ isActive, isBot, settings }: AccountRecord): boolean {
  return isActive && !isBot && personalSetting(settings, 'presence_enabled');
}
