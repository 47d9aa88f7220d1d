import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { type Account, accountActivityChanged, personalDataRemoved } from '../../users/users.module';
import { InvitationAudienceService } from './invitation-audience.service';
import { Invitation } from './invitation.entity';
import { InvitationMailService } from './invitation-mail.service';

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

  /** What says whom it was for goes with its end. @param usedById who came with it */
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

  /** Revokes what other invitations there are of a person who has come. */
  async endOthers(tx: Transaction, emailKey: string): Promise<void> {
    const others = await tx.repository(Invitation).findBy({ emailKey, state: 'open', isMultiuse: false });
    if (others.length > 0) await this.end(tx, others, 'revoked');
  }

  /** They lapse with the person, and do not come back with them. */
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
