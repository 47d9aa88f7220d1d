import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type FactorProof,
  LoginSessionService,
  SecondFactors,
  seedAddress,
  SignInFailures,
  WrongCode,
  WrongPasskey,
} from '../../users/users.module';

/** Sets up or verifies the required second factor in a session that may do nothing else. */
@Injectable()
export class FactorSetUpService {
  constructor(
    private readonly factors: SecondFactors,
    private readonly sessions: LoginSessionService,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
    private readonly failures: SignInFailures,
  ) {}

  /** Whether the person has a second factor, which the session has not verified. */
  async hasOne({ userId }: Actor): Promise<boolean> {
    return (await this.factors.of(userId)).isOn;
  }

  /** @returns the details for the authenticator app @throws SecondFactorAlreadySetUp */
  async begin({ userId }: Actor) {
    return this.shown(userId, await this.factors.begin(userId));
  }

  /** The same details, after a wrong code. @throws NoSecondFactor */
  async begun({ userId }: Actor) {
    return this.shown(userId, await this.factors.pendingSeed(userId));
  }

  /** @returns the recovery codes @throws WrongCode, LoginThrottled, NoSecondFactor, SecondFactorAlreadySetUp */
  async confirm(actor: Actor, code: string, sessionId: string): Promise<readonly string[]> {
    const codes = await this.factors.confirm(actor, code, sessionId);
    if (!codes) throw new WrongCode();
    return codes;
  }

  /** Verifies a code or passkey of the person's factor. @throws WrongCode, WrongPasskey, LoginThrottled */
  async show(actor: Actor, proof: FactorProof, sessionId: string): Promise<void> {
    const { userId } = actor;
    const refusal = await this.factors.refusalOf(actor, userId, proof);
    if (refusal) {
      this.failures.record(actor, refusal, userId);
      throw refusal === 'wrong_code' ? new WrongCode() : new WrongPasskey(refusal);
    }
    await this.transactions.run(async (tx) => {
      await this.sessions.setFactor(tx, sessionId, true);
      this.audit.record(
        tx,
        actor,
        'user.signed_in',
        { userId },
        proof.passkey ? { by_passkey: true } : { by_code: true },
      );
    });
  }

  private shown(userId: number, secret: string) {
    const account = this.accounts.existing(userId).deliveryEmail;
    return { secret, address: seedAddress(secret, { issuer: this.organization.settings.name, account }) };
  }
}

/** A stranger who found an open browser must not be able to set up their own factor there. */
export function maySetUp({ lacksFactor, isRecent }: FastifyRequest): boolean {
  return lacksFactor && isRecent;
}
