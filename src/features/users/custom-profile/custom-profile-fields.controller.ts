import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  CreateFieldDto,
  FieldIdDto,
  ReorderFieldsDto,
  toFieldDeclaration,
  UpdateFieldDto,
} from './custom-profile.api';
import { CustomProfileFieldsService } from './custom-profile-fields.service';

/** Profile fields that the organization defines. */
@Controller('api/v1/realm/profile_fields')
@NeedsScope('read', 'administer')
export class CustomProfileFieldsController {
  constructor(private readonly fields: CustomProfileFieldsService) {}

  /** Lists the profile fields that the organization defined. */
  @Get()
  async list() {
    return { custom_fields: await this.fields.list() };
  }

  /** Defines a profile field. */
  @Post()
  @AdministratorOnly()
  async create(@CurrentActor() actor: Actor, @Parameters() dto: CreateFieldDto) {
    return { id: await this.fields.create(actor, dto.field_type, toFieldDeclaration(dto)) };
  }

  /** Puts the profile fields into another order. */
  @Patch()
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderFieldsDto): Promise<void> {
    return this.fields.reorder(actor, dto.order);
  }

  /** Changes a profile field. */
  @Patch(':field_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateFieldDto): Promise<void> {
    return this.fields.update(actor, dto.field_id, toFieldDeclaration(dto));
  }

  /** Removes a profile field with what people filled in. */
  @Delete(':field_id(\\d+)')
  @AdministratorOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: FieldIdDto): Promise<void> {
    return this.fields.remove(actor, dto.field_id);
  }
}
