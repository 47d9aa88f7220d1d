import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { NoInput, command, operatorCommand } from '../../../platform/operator/operator-command';
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
    hooks: Hooks,
    people: OperatorPeopleService,
    credentials: OperatorCredentialsService,
    bots: OperatorBotsService,
    organization: OrganizationStartService,
  ) {
    hooks.on(
      operatorCommand,
      command('init', NoInput, (_, { site }) => organization.start(site)),
    );
    hooks.on(
      operatorCommand,
      command('user add', AddUserInput, (input) => people.add(input)),
    );
    hooks.on(
      operatorCommand,
      command('user list', ListUsersInput, async (input) => people.list(input)),
    );
    hooks.on(
      operatorCommand,
      command('user role', ChangeRoleInput, (input) => people.changeRole(input)),
    );
    hooks.on(
      operatorCommand,
      command('user deactivate', UserInput, (input) => people.deactivate(input)),
    );
    hooks.on(
      operatorCommand,
      command('user reactivate', UserInput, (input) => people.reactivate(input)),
    );
    hooks.on(
      operatorCommand,
      command('user password', SetPasswordInput, (input) => credentials.setPassword(input)),
    );
    hooks.on(
      operatorCommand,
      command('user key', UserKeyInput, (input, { site }) => credentials.key(input, site)),
    );
    hooks.on(
      operatorCommand,
      command('bot add', AddBotInput, (input, { site }) => bots.add(input, site)),
    );
  }
}
