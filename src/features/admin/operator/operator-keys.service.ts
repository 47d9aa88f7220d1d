import { Injectable } from '@nestjs/common';
import { IsInt, IsString, Min } from 'class-validator';
import { THE_OPERATOR } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, CommandRefused, operatorCommand } from '../../../platform/operator/operator-commands';
import { NamedKeys, OperatorAccountAccess } from '../../users/users.module';
import { namedKeyRecord, NewKeyDto, newNamedKeyRecord, scopesIn } from '../keys/keys.api';
import { KeysService } from '../keys/keys.service';
import { UserInput } from './operator.api';

/** Input of `key add`. */
export class AddKeyInput extends NewKeyDto {
  /** Address or ID of the account. */
  @IsString({ message: 'The account must be a text.' }) user!: string;
}

/** Input of `key revoke`. */
export class RevokeKeyInput extends UserInput {
  /** ID of the key. */
  @IsInt({ message: 'The key must be a number.' })
  @Min(1, { message: 'The number of a key is 1 or more.' })
  id!: number;
}

/** The operator's commands about named API keys, also for people who can only sign in with a browser. */
@Injectable()
export class OperatorKeysService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: OperatorAccountAccess,
    private readonly keys: NamedKeys,
    private readonly making: KeysService,
    hooks: Hooks,
  ) {
    const of = ({ user }: UserInput) => user;
    hooks.on(
      operatorCommand,
      command('key list', UserInput, (input) => this.list(input), of),
    );
    hooks.on(
      operatorCommand,
      command('key add', AddKeyInput, (input) => this.add(input), of),
    );
    hooks.on(
      operatorCommand,
      command('key revoke', RevokeKeyInput, (input) => this.revoke(input), of),
    );
  }

  private async list({ user }: UserInput): Promise<object> {
    return { keys: (await this.keys.of([this.access.find(user).id])).map(namedKeyRecord) };
  }

  private add({ user, ...wanted }: AddKeyInput): Promise<object> {
    const scopes = scopesIn(wanted.scopes);
    return this.transactions.runExclusive(async (tx) => {
      const { id, isActive, fullName } = this.access.find(user);
      if (!isActive) throw new CommandRefused(`${fullName} is deactivated.`);
      return newNamedKeyRecord(
        await this.making.makeIn(tx, THE_OPERATOR, id, { ...wanted, scopes }, () => true),
      );
    });
  }

  private async revoke({ user, id }: RevokeKeyInput): Promise<object> {
    const account = this.access.find(user);
    await this.transactions.runExclusive((tx) => this.keys.revoke(tx, THE_OPERATOR, account.id, id));
    return { revoked: id };
  }
}
