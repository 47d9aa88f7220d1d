import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { Queryable } from '../../platform/database/queryable';
import { RawJson } from '../../platform/http/raw-json';
import { OrganizationDirectory } from '../organization-settings';
import { AccountDirectory, type AccountRecord, personalSetting, UserVisibility, type Viewer } from '../users';
import { PresenceDirectory, type PresenceRecord } from './presence.directory';
import { PresenceStoreService } from './presence-store.service';
import {
  legacyPresenceWire,
  presenceWire,
  type LegacyPresenceWire,
  type PresenceWire,
} from './presence.wire';

/** Whose presence a client wants to know, and how. */
export interface PresenceQuestion {
  /** By user ID in the new form, instead of by address in the old one. */
  readonly isSlim: boolean;
  /** Only what is newer than this update ID; everything of the last days where it is not above 0. */
  readonly after?: number;
  /** How many days these are. */
  readonly historyDays?: number;
}

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

const DEFAULT_HISTORY_DAYS = 14;
const SECONDS_PER_DAY = 86_400;
const NOTHING = new RawJson<Record<string, never>>('{}');

/** Shows who was there when, to those who may see them. */
@Injectable()
export class PresenceListService {
  /** The new form as text: each is written once and read by everybody. */
  private readonly texts = new WeakMap<PresenceRecord, string>();

  constructor(
    private readonly directory: PresenceDirectory,
    private readonly store: PresenceStoreService,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /** @param viewer null for somebody without an account, who is shown nobody */
  async list(db: Queryable, viewer: Viewer | null, question: PresenceQuestion): Promise<PresenceListWire> {
    const server_timestamp = this.clock.nowMs() / 1000;
    if (viewer === null || this.organization.settings.presence_disabled) {
      return { presences: NOTHING, server_timestamp, presence_last_update_id: -1 };
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
    return { presences, server_timestamp, presence_last_update_id: this.directory.lastUpdateId };
  }

  /** A person's presence, for whoever may see them; undefined where there is none to be shown. */
  async one(db: Queryable, account: AccountRecord): Promise<PresenceRecord | undefined> {
    await this.store.catchUp(db);
    const isHidden = this.organization.settings.presence_disabled || !isShared(account);
    return isHidden ? undefined : this.directory.byId(account.id);
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

/** Whether others may know when somebody was there. */
export function isShared({ isActive, isBot, settings }: AccountRecord): boolean {
  return isActive && !isBot && personalSetting(settings, 'presence_enabled');
}
