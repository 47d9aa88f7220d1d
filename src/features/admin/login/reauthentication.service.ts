import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import {
  CodeRefused,
  type FactorProof,
  LoginSessionService,
  PasskeyRefused,
  PasswordService,
  SecondFactors,
  SignInFailures,
  WrongPassword,
} from '../../users/users.module';
import { passkeyIn, type ReauthenticateDto, type ReauthenticationRecord, SignInAgain } from './login.api';

/** Lets people authenticate again before sensitive changes. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactors,
    private readonly sessions: LoginSessionService,
    private readonly transactions: TransactionService,
    private readonly failures: SignInFailures,
    private readonly audit: AuditLog,
  ) {}

  /** The strongest method that the person has. */
  async way({ userId }: Actor): Promise<ReauthenticationRecord> {
    const { isOn, passkeys } = await this.factors.of(userId);
    if (isOn) return { by: 'code', has_passkey: passkeys > 0 };
    return { by: (await this.passwords.isSet(userId)) ? 'password' : 'sign_in', has_passkey: false };
  }

  /** @throws CodeRefused, PasskeyRefused, WrongPassword, SignInAgain, LoginThrottled */
  async confirm(actor: Actor, sessionId: string, body: ReauthenticateDto): Promise<void> {
    const { code = '', password } = body;
    const passkey = passkeyIn(body);
    const { by } = await this.way(actor);
    if (by === 'sign_in') throw new SignInAgain();
    if (by === 'code') await this.requireFactor(actor, { code, passkey }, sessionId);
    else if (!(await this.passwords.confirm(actor, password ?? ''))) throw new WrongPassword();
    await this.transactions.run(async (tx) => {
      if (by === 'code') await this.sessions.setFactor(tx, sessionId, true);
      else await this.sessions.reauthenticated(tx, sessionId);
      const way = by === 'code' && passkey ? 'passkey' : by;
      this.audit.record(tx, actor, 'user.reauthenticated', { userId: actor.userId }, { by: way });
    });
  }

  private async requireFactor(actor: Actor, proof: FactorProof, sessionId: string): Promise<void> {
    const refusal = await this.factors.refusalOf(actor, actor.userId, proof, sessionId);
    if (!refusal) return;
    this.failures.record(actor, refusal, actor.userId);
    throw refusal === 'wrong_code' ? new CodeRefused() : new PasskeyRefused();
  }
}
