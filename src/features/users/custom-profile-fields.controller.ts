import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { AdministratorOnly } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import {
  CreateFieldDto,
  FieldIdDto,
  ReorderFieldsDto,
  toFieldDeclaration,
  UpdateFieldDto,
} from './custom-profile-fields.dto';
import { CustomProfileFieldsService } from './custom-profile-fields.service';

/** Profile fields that the organization defines. */
@Controller('api/v1/realm/profile_fields')
export class CustomProfileFieldsController {
  constructor(private readonly fields: CustomProfileFieldsService) {}

  @Get()
  async list() {
    return { custom_fields: await this.fields.list() };
  }

  @Post()
  @AdministratorOnly()
  async create(@Parameters() dto: CreateFieldDto) {
    return { id: await this.fields.create(dto.field_type, toFieldDeclaration(dto)) };
  }

  @Patch()
  @AdministratorOnly()
  reorder(@Parameters() dto: ReorderFieldsDto): Promise<void> {
    return this.fields.reorder(dto.order);
  }

  @Patch(':field_id(\\d+)')
  @AdministratorOnly()
  update(@Parameters() dto: UpdateFieldDto): Promise<void> {
    return this.fields.update(dto.field_id, toFieldDeclaration(dto));
  }

  @Delete(':field_id(\\d+)')
  @AdministratorOnly()
  remove(@Parameters() dto: FieldIdDto): Promise<void> {
    return this.fields.remove(dto.field_id);
  }
}
