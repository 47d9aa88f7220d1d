import { Injectable } from '@nestjs/common';
import { type Actor, isOwner } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { MustBeOwner } from '../../../platform/errors/shared.errors';
import { AuditLog, differences } from '../../audit/audit.module';
import {
  type FactorRequirement,
  OrganizationDirectory,
} from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  CodeRefused,
  ActorTransactions,
  OwnFactorFirst,
  PasswordService,
  SecondFactors,
  seedAddress,
  WrongPassword,
} from '../../users/users.module';
import { PersonAccess } from '../people/person.access';
import type { FactorPolicyDto, FactorPolicyRecord, NewSecondFactor, SecondFactorRecord } from './factors.api';

/** Sets up people's own second factor, and resets that of others who have lost it. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactors,
    private readonly access: PersonAccess,
  ) {}

  async own({ userId }: Actor): Promise<SecondFactorRecord> {
    const { isOn, hasApp, recoveryCodesLeft } = await this.factors.of(userId);
    return { is_on: isOn, has_app: hasApp, recovery_codes_left: recoveryCodesLeft };
  }

  /** @throws WrongPassword, LoginThrottled, SecondFactorAlreadySetUp */
  async begin(actor: Actor, password: string): Promise<NewSecondFactor> {
    if (!(await this.passwords.confirm(actor, password))) throw new WrongPassword();
    const secret = await this.factors.begin(actor.userId);
    const account = this.accounts.existing(actor.userId).deliveryEmail;
    return { secret, address: seedAddress(secret, { issuer: this.organization.settings.name, account }) };
  }

  /** @throws CodeRefused, LoginThrottled, NoSecondFactor, SecondFactorAlreadySetUp */
  async confirm(actor: Actor, code: string, sessionId: string): Promise<readonly string[]> {
    const codes = await this.factors.confirm(actor, code, sessionId);
    if (!codes) throw new CodeRefused();
    return codes;
  }

  /** @throws CodeRefused, LoginThrottled, NoSecondFactor */
  async remove(actor: Actor, code: string, sessionId: string): Promise<void> {
    if (!(await this.factors.verify(actor, actor.userId, code))) throw new CodeRefused();
    await this.factors.removeApp(actor, actor.userId, sessionId);
  }

  policy(): FactorPolicyRecord {
    const { of, from } = this.organization.settings.second_factor_required;
    return { required_of: of, from: of === 'nobody' ? null : from };
  }

  /** @throws MustBeOwner, OwnFactorFirst */
  async changePolicy(
    caller: Actor,
    { required_of: of, from = this.clock.nowSeconds() }: FactorPolicyDto,
  ): Promise<FactorPolicyRecord> {
    await this.transactions.runExclusive(caller, async (tx, actor) => {
      if (!isOwner(actor)) throw new MustBeOwner();
      if (of !== 'nobody' && !(await this.factors.isOnIn(tx, actor.userId))) throw new OwnFactorFirst();
      const before = this.organization.settings.second_factor_required;
      const after = { of, from: of === 'nobody' ? 0 : from };
      const changes = differences(named(before), named(after));
      if (!changes) return;
      await this.organization.store(tx, 'second_factor_required', after);
      this.audit.record(tx, actor, 'organization.changed', {}, changes);
    });
    return this.policy();
  }

  /** @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, NoSecondFactor */
  async reset(caller: Actor, userId: number): Promise<void> {
    await this.transactions.runExclusive(caller, async (tx) => {
      this.access.forChange(this.access.administrator(caller), userId);
      await this.factors.removeIn(tx, caller, userId);
    });
  }
}

/** The policy as recorded in the audit log. */
function named({ of, from }: FactorRequirement) {
  return { second_factor_required: of, second_factor_from: from };
}
