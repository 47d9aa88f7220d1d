import { Delete, Get, Header, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { TakesRawBody } from '../../../../platform/http/body/raw-body';
import { PathId } from '../../../../platform/http/companion/companion-decorators';
import { changesOfPatch, changesOfWhole } from '../protocol/changes';
import { listQuery, shown, shownAttributes } from '../protocol/listing';
import { SCIM_TYPE } from '../protocol/scim.api';
import { CurrentScimRequest, ScimController, type ScimRequest } from '../keys/scim-endpoints';
import { ScimGroups } from './scim-groups.service';

/** User groups that a company directory manages (RFC 7644). */
@ScimController('Groups')
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroups) {}

  /** Lists groups that match a filter. */
  @Get()
  @Header('content-type', SCIM_TYPE)
  async list(@CurrentScimRequest() request: ScimRequest): Promise<string> {
    return request.answer(await this.groups.list(request.caller, listQuery(request)));
  }

  /** Creates a group. */
  @Post()
  @TakesRawBody()
  @HttpCode(201)
  @Header('content-type', SCIM_TYPE)
  async create(@CurrentScimRequest() request: ScimRequest): Promise<string> {
    return request.answer(await this.groups.create(request.caller, changesOfWhole(request.json())));
  }

  /**
   * Returns a group.
   * @answersAlike 304 the directory already has this version
   */
  @Get(':id')
  @Header('content-type', SCIM_TYPE)
  async get(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<string> {
    return request.answer(shown(await this.groups.get(request.caller, id), shownAttributes(request)));
  }

  /**
   * Replaces the name and members.
   * @answersAlike 412 the group has changed since the directory read it
   */
  @Put(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async replace(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<string> {
    const changes = changesOfWhole(request.json());
    return request.answer(await this.groups.change(request.caller, id, changes, request.version, true));
  }

  /**
   * Changes the name or individual members.
   * @answersAlike 412 the group has changed since the directory read it
   */
  @Patch(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async patch(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<string> {
    const changes = changesOfPatch(request.json());
    return request.answer(await this.groups.change(request.caller, id, changes, request.version));
  }

  /**
   * Deactivates a group.
   * @answersAlike 412 the group has changed since the directory read it
   */
  @Delete(':id')
  @HttpCode(204)
  async remove(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<void> {
    await this.groups.remove(request.caller, id, request.version);
  }
}
