import { Injectable } from '@nestjs/common';
import {
  type RequestedStatus,
  EMPTY_STATUS,
  MissingStatusEmojiName,
  NoNewStatus,
  statusChangeWire,
  type StatusChangeWire,
  type StatusContent,
  userStatusChanged,
  userStatusesWire,
  userStatusWire,
  type UserStatusWire,
} from './user-status.api';
import { UserStatus } from './user-status.entity';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor, type StateReader } from '../../../platform/client-state/initial-state.hooks';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import { EmojiLookupService } from '../../emoji/emoji.module';
import {
  type Account,
  accountActivityChanged,
  AccountChanges,
  AccountDirectory,
  peopleShown,
  personalDataRemoved,
  personalSetting,
  personalSettingsChanged,
  PersonalSettingsService,
  UserAccess,
  UserVisibility,
} from '../../users/users.module';

/** The status of one person. */
async function statusOf(db: Queryable, userId: number): Promise<StatusContent> {
  const row = await db.repository(UserStatus).findOneBy({ userId });
  return row ? toContent(row) : EMPTY_STATUS;
}

/** Statuses by user ID, without empty ones; everyone's by default. */
async function statusesOf(db: Queryable, userIds?: readonly number[]): Promise<Map<number, StatusContent>> {
  const rows = userIds
    ? await entityRows(db, UserStatus, 'WHERE user_id IN (?)', [userIds])
    : await entityRows(db, UserStatus);
  return new Map(rows.map((row) => [row.userId, toContent(row)]));
}

/** Without a text and an emoji there is no row. */
async function storeStatus(tx: Transaction, userId: number, status: StatusContent): Promise<void> {
  const rows = tx.repository(UserStatus);
  if (status.text === '' && status.emojiName === '') await rows.delete({ userId });
  else await rows.save({ userId, ...status });
}

function toContent({ text, emojiName, emojiCode, emojiType }: UserStatus): StatusContent {
  return { text, emojiName, emojiCode, emojiType };
}

/** Reads and changes people's statuses. */
@Injectable()
export class UserStatusService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly emoji: EmojiLookupService,
    private readonly changes: AccountChanges,
    private readonly settings: PersonalSettingsService,
    private readonly visibility: UserVisibility,
    private readonly access: UserAccess,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => storeStatus(tx, userId, EMPTY_STATUS));
  }

  /** @throws NoSuchUser, for bots as well, UserDeactivated, InsufficientPermission */
  async get(actor: Actor, userId: number): Promise<UserStatusWire> {
    const account = await this.access.activePersonForReading(actor, userId);
    const status = await statusOf(this.database.read, userId);
    return userStatusWire(status, !personalSetting(account.settings, 'presence_enabled'));
  }

  /**
   * Changes the caller's own status, or for an administrator that of another person.
   * @throws NoSuchUser, UserDeactivated, InsufficientPermission, NoNewStatus, MissingStatusEmojiName, and the errors of
   * EmojiLookupService
   */
  async update(actor: Actor, userId: number, asked: RequestedStatus): Promise<void> {
    this.access.forAdministration(actor, userId, { oneself: true });
    const { text, isAway } = asked;
    if (isAway === undefined && text === undefined && asked.emoji.name === undefined) throw new NoNewStatus();
    const emoji = this.emojiOf(asked);
    await this.transactions.runExclusive(async (tx) => {
      const { id } = this.access.forAdministration(this.access.current(actor), userId, { oneself: true });
      const row = await this.changes.load(tx, id);
      await this.say(tx, row, { ...(text === undefined ? {} : { text }), ...emoji });
      if (id !== actor.userId) this.audit.record(tx, actor, 'user.status_changed', { userId: id });
      if (isAway === undefined) return;
      await this.settings.change(tx, row, { presence_enabled: !isAway });
      await this.changes.save(tx, row);
    });
  }

  private async say(tx: Transaction, row: Account, said: Partial<StatusContent>): Promise<void> {
    const before = await statusOf(tx, row.id);
    const after = { ...before, ...said };
    const change = statusChangeWire(before, after);
    if (Object.keys(change).length === 0) return;
    await storeStatus(tx, row.id, after);
    const audience = await this.visibility.audienceOf(tx, row);
    tx.emit(userStatusChanged({ user_id: row.id, ...change }), audience);
  }

  private emojiOf({ emoji: { name, code, type } }: RequestedStatus): Partial<StatusContent> {
    if (name === undefined) {
      if (code || type) throw new MissingStatusEmojiName();
      return {};
    }
    if (name === '') return { emojiName: '', emojiCode: '', emojiType: '' };
    const known = code === undefined || type === undefined ? this.emoji.byName(name) : { code, type };
    const emoji = { name, code: code ?? known.code, type: type ?? known.type };
    this.emoji.check(emoji);
    return { emojiName: emoji.name, emojiCode: emoji.code, emojiType: emoji.type };
  }
}

/** Emits people's statuses when something other than the status changes who sees them. */
@Injectable()
export class ShownStatusService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('user_status', async (db, { reader }) => ({
        user_status: reader ? await this.statuses(db, reader) : {},
      })),
    );
    hooks.on(accountActivityChanged, (tx, row) => this.activityChanged(tx, row));
    hooks.on(peopleShown, (tx, watchers) => this.introduce(tx, watchers));
    // For old clients, a person who hides their presence is away.
    hooks.on(personalSettingsChanged, async (tx, row, { presence_enabled: isEnabled }) => {
      if (isEnabled !== undefined) await this.tell(tx, row, { away: !isEnabled });
    });
  }

  private async statuses(db: Queryable, reader: StateReader) {
    const sees = await this.visibility.filterFor(db, reader);
    const people = this.accounts.all().filter((each) => each.isActive && !each.isBot && sees(each));
    const shown = new Set(people.map(({ id }) => id));
    const statuses = [...(await statusesOf(db))].filter(([userId]) => shown.has(userId));
    const away = people.filter(({ settings }) => !personalSetting(settings, 'presence_enabled'));
    return userStatusesWire(new Map(statuses), new Set(away.map(({ id }) => id)));
  }

  /** The status of a deactivated account is hidden until its reactivation. */
  private async activityChanged(tx: Transaction, row: Account): Promise<void> {
    const settings = JSON.parse(row.settings) as Record<string, unknown>;
    const isAway = !row.isBot && !personalSetting(settings, 'presence_enabled');
    const status = await statusOf(tx, row.id);
    const change = row.isActive
      ? statusChangeWire(EMPTY_STATUS, status)
      : statusChangeWire(status, EMPTY_STATUS);
    await this.tell(tx, row, { ...(isAway ? { away: row.isActive } : {}), ...change });
  }

  /** Sends the status of a person to people who start to see that person; their clients do not have it. */
  private async introduce(tx: Transaction, watchers: ReadonlyMap<number, Audience>): Promise<void> {
    const statuses = await statusesOf(tx, [...watchers.keys()]);
    for (const [userId, audience] of watchers) {
      const account = this.accounts.byId(userId);
      if (!account || account.isBot) continue;
      const isAway = !personalSetting(account.settings, 'presence_enabled');
      const status = userStatusWire(statuses.get(userId) ?? EMPTY_STATUS, isAway);
      if (Object.keys(status).length === 0) continue;
      tx.emit(userStatusChanged({ user_id: userId, ...status }), audience);
    }
  }

  private async tell(tx: Transaction, row: Account, change: StatusChangeWire): Promise<void> {
    if (Object.keys(change).length === 0) return;
    const audience = await this.visibility.audienceOf(tx, row);
    tx.emit(userStatusChanged({ user_id: row.id, ...change }), audience);
  }
}
