import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, operatorCommand } from '../../../platform/operator/operator-commands';
import { OperatorAccountAccess, SecondFactors } from '../../users/users.module';
import { UserInput } from './operator.api';

/** The operator's command for people who have lost their second factor. */
@Injectable()
export class OperatorFactorsService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly factors: SecondFactors,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command(
        'user factor reset',
        UserInput,
        (input) => this.reset(input),
        ({ user }) => user,
      ),
    );
  }

  private async reset({ user }: UserInput): Promise<object> {
    const { id, deliveryEmail: email, fullName: name } = this.access.findPerson(user);
    await this.factors.remove(THE_OPERATOR, id);
    return { user: { id, email, name } };
  }
}
