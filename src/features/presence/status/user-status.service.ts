import {
  type AskedStatus,
  EMPTY_STATUS,
  MissingStatusEmojiName,
  NoNewStatus,
  statusChangeWire,
  type StatusContent,
  userStatusChanged,
  userStatusWire,
  type UserStatusWire,
} from './user-status.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { EmojiLookupService } from '../../emoji/emoji.module';
import {
  type Account,
  AccountChanges,
  personalDataRemoved,
  personalSetting,
  PersonalSettingsService,
  UserAccess,
  UserVisibility,
} from '../../users/users.module';
import { statusOf, storeStatus } from './user-status-rows';

/** Shows and changes the statuses of people. */
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
   * @throws NoSuchUser, UserDeactivated, InsufficientPermission, NoNewStatus, MissingStatusEmojiName, and what
   * EmojiLookupService throws
   */
  async update(actor: Actor, userId: number, asked: AskedStatus): Promise<void> {
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

  private emojiOf({ emoji: { name, code, type } }: AskedStatus): Partial<StatusContent> {
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
