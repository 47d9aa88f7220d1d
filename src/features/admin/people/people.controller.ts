import { Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  CompanionController,
  JsonBody,
  PathId,
  QueryParameters,
} from '../../../platform/http/companion/companion-decorators';
import { type PageAnswer, pageWindow } from '../../../platform/http/companion/paging';
import {
  AdministratorOnly,
  CurrentActor,
  NeedsRecentSignIn,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../../platform/http/decorators';
import { CreateUserService } from '../../membership/membership.module';
import { AdministerPersonService } from './administer-person.service';
import { DeletePersonService } from './delete-person.service';
import {
  botOfPerson,
  type ChangedPersonRecord,
  ChangePersonDto,
  CreatePersonDto,
  PeopleQuery,
  type PersonRecord,
  toNewPerson,
  toPeopleQuestion,
  toPersonEdit,
} from './people.api';
import { PeopleService } from './people.service';

/** Managing people's accounts. */
@CompanionController('auth/users')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    private readonly creation: CreateUserService,
    private readonly administration: AdministerPersonService,
    private readonly deletion: DeletePersonService,
  ) {}

  /** Lists people, optionally filtered by name, address, role and state. */
  @Get()
  @AdministratorOnly()
  list(@QueryParameters() query: PeopleQuery): PageAnswer<PersonRecord> {
    return this.people.list(toPeopleQuestion(query), pageWindow(query));
  }

  /** Returns a person. */
  @Get(':user_id')
  @AdministratorOnly()
  get(@PathId('user_id') userId: number): PersonRecord {
    return this.people.one(userId);
  }

  /**
   * Creates an account for a person.
   * @answers 409 another account has this address already
   */
  @Post()
  @HttpCode(201)
  @AdministratorOnly()
  async create(@CurrentActor() actor: Actor, @JsonBody() person: CreatePersonDto): Promise<PersonRecord> {
    return this.people.one(await this.creation.create(actor, toNewPerson(person)));
  }

  /**
   * Changes a person's name, role, password or state. After a reactivation, the response lists their bots that are
   * still deactivated.
   * @answers 409 it would lock the caller out, remove the last owner, leave something that refers to the person, or a
   * hold forbids it
   */
  @Patch(':user_id')
  @AdministratorOnly()
  async change(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @JsonBody() change: ChangePersonDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<ChangedPersonRecord> {
    const { role, password, can_create_users: mayCreate } = change;
    requireRecent([role, password, mayCreate].some((each) => each !== undefined));
    const inactive = await this.administration.change(actor, userId, toPersonEdit(change));
    return { ...this.people.one(userId), ...(inactive && { inactive_bots: inactive.map(botOfPerson) }) };
  }

  /**
   * Deletes a person permanently; a tombstone remains.
   * @answers 409 it would lock the caller out, remove the last owner, or leave something that refers to the person; or
   * the person is on legal hold
   */
  @Delete(':user_id')
  @NeedsRecentSignIn()
  @HttpCode(204)
  @AdministratorOnly()
  delete(@CurrentActor() actor: Actor, @PathId('user_id') userId: number): Promise<void> {
    return this.deletion.delete(actor, userId);
  }
}
