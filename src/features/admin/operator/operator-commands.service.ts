import { Injectable } from '@nestjs/common';
import { NoInput } from '../../../platform/operator/operator-command';
import { OperatorCommandRegistry } from '../../../platform/operator/operator-command.registry';
import { OperatorBotsService } from './operator-bots.service';
import { OperatorCredentialsService } from './operator-credentials.service';
import {
  AddBotInput,
  AddUserInput,
  ChangeRoleInput,
  ListUsersInput,
  SetPasswordInput,
  UserInput,
  UserKeyInput,
} from './operator-people.dto';
import { OperatorPeopleService } from './operator-people.service';
import { OrganizationStartService } from './organization-start.service';

/** Offers the commands about the organization and its accounts. */
@Injectable()
export class OperatorCommandsService {
  constructor(
    registry: OperatorCommandRegistry,
    people: OperatorPeopleService,
    credentials: OperatorCredentialsService,
    bots: OperatorBotsService,
    organization: OrganizationStartService,
  ) {
    registry.register({ name: 'init', input: NoInput, run: (_, { site }) => organization.start(site) });
    registry.register({ name: 'user add', input: AddUserInput, run: (input) => people.add(input) });
    registry.register({ name: 'user list', input: ListUsersInput, run: async (input) => people.list(input) });
    registry.register({
      name: 'user role',
      input: ChangeRoleInput,
      run: (input) => people.changeRole(input),
    });
    registry.register({
      name: 'user deactivate',
      input: UserInput,
      run: (input) => people.deactivate(input),
    });
    registry.register({
      name: 'user reactivate',
      input: UserInput,
      run: (input) => people.reactivate(input),
    });
    registry.register({
      name: 'user password',
      input: SetPasswordInput,
      run: (input) => credentials.setPassword(input),
    });
    registry.register({
      name: 'user key',
      input: UserKeyInput,
      run: (input, { site }) => credentials.key(input, site),
    });
    registry.register({
      name: 'bot add',
      input: AddBotInput,
      run: (input, { site }) => bots.add(input, site),
    });
  }
}
