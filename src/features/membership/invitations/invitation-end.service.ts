import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { In } from 'typeorm';
import { InvitationMailService } from './invitation-mail.service';
import { invitesChanged } from './invitation-records.api';
import { Invitation } from '../membership.entity';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import {
  type Account,
  accountActivityChanged,
  AccountDirectory,
  personalDataRemoved,
} from '../../users/users.module';

/** Emits `invites_changed` to everyone who can see invitations. */
@Injectable()
export class InvitationAudienceService {
  constructor(private readonly accounts: AccountDirectory) {}

  /** Emits to administrators, and to the inviter if active. */
  tell(tx: Transaction, inviterId: number): void {
    const isThere = this.accounts.byId(inviterId)?.isActive ?? false;
    const inviter = Audience.of(isThere ? [inviterId] : []);
    tx.emit(invitesChanged({}), this.accounts.administrators.union(inviter));
  }

  /** Emits to administrators when the inviter leaves. */
  tellAdministrators(tx: Transaction, inviterId: number): void {
    tx.emit(invitesChanged({}), this.accounts.administrators.without([inviterId]));
  }
}

/** Ends invitations: when they are used or revoked, and when their inviter leaves. */
@Injectable()
export class InvitationEndService {
  constructor(
    private readonly mails: InvitationMailService,
    private readonly audiences: InvitationAudienceService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(accountActivityChanged, (tx, row) => this.inviterChanged(tx, row));
    hooks.on(personalDataRemoved, async (tx, userId) => {
      const ids = await idsWhere(tx, 'inviter_id = ? OR used_by_id = ?', [userId, userId]);
      await mails.cancel(tx, ids);
      await tx.query('DELETE FROM invitation WHERE id IN (?)', [ids]);
    });
  }

  /** Deletes the personal data of an invitation when it ends. @param usedById the account that was created with it */
  async end(
    tx: Transaction,
    invitations: readonly Pick<Invitation, 'id'>[],
    state: 'used' | 'revoked',
    usedById: number | null = null,
  ): Promise<void> {
    const ids = invitations.map(({ id }) => id);
    const endedAt = this.clock.nowSeconds();
    await tx
      .repository(Invitation)
      .update({ id: In(ids) }, { state, endedAt, usedById, email: '', emailKey: '' });
    await this.mails.cancel(tx, ids);
  }

  /** Revokes all other invitations of a person who has joined. */
  async endOthers(tx: Transaction, emailKey: string): Promise<void> {
    const others = await tx.repository(Invitation).findBy({ emailKey, state: 'open', isMultiuse: false });
    if (others.length > 0) await this.end(tx, others, 'revoked');
  }

  /** Invitations end when their inviter leaves, and are not restored. */
  private async inviterChanged(tx: Transaction, { id, isActive }: Account): Promise<void> {
    if (isActive) return;
    const now = this.clock.nowSeconds();
    const lapsed = await tx.query<{ id: number }>(
      `UPDATE invitation SET expires_at = ? WHERE inviter_id = ? AND state = 'open'
         AND (expires_at IS NULL OR expires_at > ?) RETURNING id`,
      [now, id, now],
    );
    if (lapsed.length === 0) return;
    await this.mails.cancel(
      tx,
      lapsed.map((row) => row.id),
    );
    this.audiences.tellAdministrators(tx, id);
  }
}

async function idsWhere(tx: Transaction, condition: string, values: number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(`SELECT id FROM invitation WHERE ${condition}`, values);
  return rows.map(({ id }) => id);
}

const INTERVAL_MS = 3_600_000;

/** How long the link of an ended invitation reports its end, before it counts as unknown. */
const KEPT_SECONDS = 30 * 86_400;

/** Small enough to let other writes in between. */
const ROWS_PER_STEP = 500;

/** Deletes invitations that ended a while ago. */
@Injectable()
export class InvitationExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('InvitationExpiry', () => this.deleteOld());

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** In steps. */
  async deleteOld(): Promise<void> {
    while (!this.task.isStopping && (await this.deleteSome())) await nextTurn();
  }

  /** @returns whether there may be more to delete */
  private async deleteSome(): Promise<boolean> {
    const before = this.clock.nowSeconds() - KEPT_SECONDS;
    const deleted = await this.transactions.run((tx) =>
      tx.query(
        `DELETE FROM invitation WHERE id IN
           (SELECT id FROM invitation WHERE ended_at <= ? OR expires_at <= ? ORDER BY id LIMIT ?)
         RETURNING id`,
        [before, before, ROWS_PER_STEP],
      ),
    );
    return deleted.length === ROWS_PER_STEP;
  }
}
