import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { BotStorageKeysDto, PutBotStorageDto } from './bots/bot-storage.api';
import { BotStorageService } from './bots/bots.service';
import { CustomProfileFieldsService } from './custom-profile/custom-profile-fields.service';
import {
  CreateFieldDto,
  FieldIdDto,
  RemoveProfileDataDto,
  ReorderFieldsDto,
  toFieldDeclaration,
  UpdateFieldDto,
  UpdateProfileDataDto,
} from './custom-profile/custom-profile.api';
import { ProfileDataService } from './custom-profile/profile-data.service';
import { GetUserByEmailDto, GetUserDto, ListUsersDto, toRecordOptions } from './records/user-records.api';
import { ReadUsersService } from './records/user-records.service';
import type { Actor } from '../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  HumansOnly,
  KeepsToChannels,
  NeedsScope,
  OptionalCredentials,
} from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Reading user records. */
@Controller('api/v1/users')
@NeedsScope('read')
export class UsersController {
  constructor(private readonly users: ReadUsersService) {}

  /** Lists people and bots; also without an account, if the organization is web-public. */
  @Get()
  @OptionalCredentials()
  @KeepsToChannels()
  async list(@CurrentActor() actor: Actor | null, @Parameters() dto: ListUsersDto) {
    const members = actor
      ? await this.users.list(actor, toRecordOptions(dto), dto.user_ids)
      : await this.users.listForAnybody(dto.user_ids);
    return { members };
  }

  /** Returns the caller's own record. */
  @Get('me')
  @KeepsToChannels()
  me(@CurrentActor() actor: Actor) {
    return this.users.own(actor);
  }

  /** Returns a person or bot. */
  @Get(':user_id(\\d+)')
  @KeepsToChannels()
  async get(@CurrentActor() actor: Actor, @Parameters() dto: GetUserDto) {
    return { user: await this.users.byId(actor, dto.user_id, toRecordOptions(dto)) };
  }

  /** Returns a person or bot by email address. */
  @Get(':email')
  @KeepsToChannels()
  async getByEmail(@CurrentActor() actor: Actor, @Parameters() dto: GetUserByEmailDto) {
    return { user: await this.users.byEmail(actor, dto.email, toRecordOptions(dto)) };
  }
}

/** Custom profile fields of the organization. */
@Controller('api/v1/realm/profile_fields')
@NeedsScope('read', 'administer')
export class CustomProfileFieldsController {
  constructor(private readonly fields: CustomProfileFieldsService) {}

  /** Lists the organization's custom profile fields. */
  @Get()
  async list() {
    return { custom_fields: await this.fields.list() };
  }

  /** Creates a custom profile field. */
  @Post()
  @AdministratorOnly()
  async create(@CurrentActor() actor: Actor, @Parameters() dto: CreateFieldDto) {
    return { id: await this.fields.create(actor, dto.field_type, toFieldDeclaration(dto)) };
  }

  /** Reorders the custom profile fields. */
  @Patch()
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderFieldsDto): Promise<void> {
    return this.fields.reorder(actor, dto.order);
  }

  /** Changes a custom profile field. */
  @Patch(':field_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateFieldDto): Promise<void> {
    return this.fields.update(actor, dto.field_id, toFieldDeclaration(dto));
  }

  /** Deletes a custom profile field and its values. */
  @Delete(':field_id(\\d+)')
  @AdministratorOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: FieldIdDto): Promise<void> {
    return this.fields.remove(actor, dto.field_id);
  }
}

/** The caller's own values of custom profile fields. */
@Controller('api/v1/users/me/profile_data')
@HumansOnly()
@NeedsScope('manage_people')
export class ProfileDataController {
  constructor(private readonly profileData: ProfileDataService) {}

  /** Sets values of custom profile fields for the caller. */
  @Patch()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateProfileDataDto): Promise<void> {
    const entries = dto.data.map(({ id, value }) => ({ fieldId: id, value }));
    return this.profileData.updateOwn(actor, entries);
  }

  /** Removes values of custom profile fields for the caller. */
  @Delete()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveProfileDataDto): Promise<void> {
    return this.profileData.updateOwn(
      actor,
      dto.data.map((fieldId) => ({ fieldId, value: null })),
    );
  }
}

/** Storage of bots: texts by key. */
@Controller('api/v1/bot_storage')
@NeedsScope('read', 'send')
export class BotStorageController {
  constructor(private readonly botStorage: BotStorageService) {}

  /** Stores texts of a bot by key. */
  @Put()
  put(@CurrentActor() actor: Actor, @Parameters() dto: PutBotStorageDto): Promise<void> {
    return this.botStorage.put(actor, dto.storage);
  }

  /** Returns a bot's stored texts, for some or all keys. */
  @Get()
  async get(@CurrentActor() actor: Actor, @Parameters() dto: BotStorageKeysDto) {
    return { storage: await this.botStorage.get(actor, dto.keys) };
  }

  /** Deletes a bot's stored texts, for some or all keys. */
  @Delete()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: BotStorageKeysDto): Promise<void> {
    return this.botStorage.remove(actor, dto.keys);
  }
}
