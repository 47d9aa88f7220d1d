import { Injectable } from '@nestjs/common';
import { IsInt, Min } from 'class-validator';
import { THE_OPERATOR } from '../../../../platform/actor';
import { Hooks } from '../../../../platform/hooks/hooks';
import { command, NoInput, operatorCommand } from '../../../../platform/operator/operator-commands';
import { NewScimKeyDto, scimKeyRecord } from './scim-keys.api';
import { ScimKeys } from './scim-keys.service';

/** Input of `scim revoke`. */
export class RevokeScimKeyInput {
  /** ID of the key. */
  @IsInt({ message: 'The key must be a number.' })
  @Min(1, { message: 'The number of a key is 1 or more.' })
  id!: number;
}

/** Operator commands for the keys of directories. */
@Injectable()
export class OperatorScimService {
  constructor(
    private readonly keys: ScimKeys,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('scim list', NoInput, async () => ({ keys: (await keys.list()).map(scimKeyRecord) })),
    );
    hooks.on(
      operatorCommand,
      command(
        'scim add',
        NewScimKeyDto,
        ({ directory }) => keys.make(THE_OPERATOR, directory),
        ({ directory }) => directory,
      ),
    );
    hooks.on(
      operatorCommand,
      command(
        'scim revoke',
        RevokeScimKeyInput,
        (input) => this.revoke(input),
        ({ id }) => String(id),
      ),
    );
  }

  private async revoke({ id }: RevokeScimKeyInput): Promise<object> {
    await this.keys.revoke(THE_OPERATOR, id);
    return { revoked: id };
  }
}
