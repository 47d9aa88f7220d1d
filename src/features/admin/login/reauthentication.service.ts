import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import {
  CodeRefused,
  LoginSessionService,
  PasswordService,
  SecondFactors,
  SignInFailures,
  WrongPassword,
} from '../../users/users.module';
import type { ReauthenticateDto, ReauthenticationRecord } from './login.api';
import { SignInAgain } from './login.api';

/** Has people prove again who they are, before what is dangerous. */
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

  /** With the strongest that the person has. */
  async way({ userId }: Actor): Promise<ReauthenticationRecord['by']> {
    if ((await this.factors.of(userId)).isOn) return 'code';
    return (await this.passwords.isSet(userId)) ? 'password' : 'sign_in';
  }

  /** @throws CodeRefused, WrongPassword, SignInAgain, LoginThrottled */
  async confirm(actor: Actor, sessionId: string, { code, password }: ReauthenticateDto): Promise<void> {
    const by = await this.way(actor);
    if (by === 'sign_in') throw new SignInAgain();
    if (by === 'code') await this.requireCode(actor, code ?? '');
    else if (!(await this.passwords.confirm(actor, password ?? ''))) throw new WrongPassword();
    await this.transactions.run(async (tx) => {
      if (by === 'code') await this.sessions.setFactor(tx, sessionId, true);
      else await this.sessions.reauthenticated(tx, sessionId);
      this.audit.record(tx, actor, 'user.reauthenticated', { userId: actor.userId }, { by });
    });
  }

  private async requireCode(actor: Actor, code: string): Promise<void> {
    if (await this.factors.verify(actor, actor.userId, code)) return;
    this.failures.record(actor, 'wrong_code', actor.userId);
    throw new CodeRefused();
  }
}
