import { Controller, Delete, Get, Header, HttpCode, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { ForeignRequest, SentRequest, TakesRawBody } from '../../../../platform/http/body/raw-body';
import { PathId } from '../../../../platform/http/companion/companion-decorators';
import { NotRateLimited, OwnSecret } from '../../../../platform/http/decorators';
import { CurrentDirectory, type DirectoryCaller, ScimKeyGuard } from '../keys/scim-key.guard';
import { changesOfPatch, changesOfWhole } from '../protocol/changes';
import { listQuestion, shown, shownAttributes } from '../protocol/listing';
import { SCIM_TYPE } from '../protocol/scim.api';
import { ScimGroups } from './scim-groups.service';

/** User groups, for the directory of a company that keeps them (RFC 7644). */
@Controller('scim/v2/Groups')
@OwnSecret()
@NotRateLimited()
@UseGuards(ScimKeyGuard)
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroups) {}

  /** Lists groups that meet a filter. */
  @Get()
  @Header('content-type', SCIM_TYPE)
  async list(
    @CurrentDirectory() caller: DirectoryCaller,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(await this.groups.list(caller, listQuestion(request)));
  }

  /** Makes a group. */
  @Post()
  @TakesRawBody()
  @HttpCode(201)
  @Header('content-type', SCIM_TYPE)
  async create(
    @CurrentDirectory() caller: DirectoryCaller,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(await this.groups.create(caller, changesOfWhole(request.json())));
  }

  /** Shows a group. */
  @Get(':id')
  @Header('content-type', SCIM_TYPE)
  async get(
    @CurrentDirectory() caller: DirectoryCaller,
    @PathId('id') id: number,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(shown(await this.groups.get(caller, id), shownAttributes(request)));
  }

  /** Changes name and members to what the body says. */
  @Put(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async replace(
    @CurrentDirectory() caller: DirectoryCaller,
    @PathId('id') id: number,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    const changes = changesOfWhole(request.json());
    return JSON.stringify(await this.groups.change(caller, id, changes, true));
  }

  /** Changes the name or single members. */
  @Patch(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async patch(
    @CurrentDirectory() caller: DirectoryCaller,
    @PathId('id') id: number,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(await this.groups.change(caller, id, changesOfPatch(request.json())));
  }

  /** Takes a group out of use. */
  @Delete(':id')
  @HttpCode(204)
  remove(@CurrentDirectory() caller: DirectoryCaller, @PathId('id') id: number): Promise<void> {
    return this.groups.remove(caller, id);
  }
}
