import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  PasswordService,
  SecondFactors,
  seedAddress,
  WrongCode,
  WrongPassword,
} from '../../users/users.module';
import { PersonAccess } from '../people/person.access';
import type { NewSecondFactor, SecondFactorRecord } from './factors.api';

/** Sets up people's own second factor, and takes away that of others who have lost it. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactors,
    private readonly access: PersonAccess,
  ) {}

  async own({ userId }: Actor): Promise<SecondFactorRecord> {
    const { isOn, recoveryCodesLeft } = await this.factors.of(userId);
    return { is_on: isOn, recovery_codes_left: recoveryCodesLeft };
  }

  /** @throws WrongPassword, LoginThrottled, SecondFactorIsOn */
  async begin(actor: Actor, password: string): Promise<NewSecondFactor> {
    if (!(await this.passwords.confirm(actor, password))) throw new WrongPassword();
    const secret = await this.factors.begin(actor.userId);
    const account = this.accounts.existing(actor.userId).deliveryEmail;
    return { secret, address: seedAddress(secret, { issuer: this.organization.settings.name, account }) };
  }

  /** @throws WrongCode, LoginThrottled, NoSecondFactor, SecondFactorIsOn */
  async confirm(actor: Actor, code: string, sessionId: string): Promise<string[]> {
    const codes = await this.factors.confirm(actor, code, sessionId);
    if (!codes) throw new WrongCode();
    return codes;
  }

  /** @throws WrongCode, LoginThrottled, NoSecondFactor */
  async remove(actor: Actor, code: string, sessionId: string): Promise<void> {
    if (!(await this.factors.verify(actor, actor.userId, code))) throw new WrongCode();
    await this.factors.remove(actor, actor.userId, sessionId);
  }

  /** @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, NoSecondFactor */
  async reset(caller: Actor, userId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      this.access.forChange(this.access.administrator(caller), userId);
      await this.factors.removeIn(tx, caller, userId);
    });
  }
}
