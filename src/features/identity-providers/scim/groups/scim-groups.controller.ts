import { Delete, Get, Header, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { TakesRawBody } from '../../../../platform/http/body/raw-body';
import { PathId } from '../../../../platform/http/companion/companion-decorators';
import { changesOfPatch, changesOfWhole } from '../protocol/changes';
import { listQuestion, shown, shownAttributes } from '../protocol/listing';
import { SCIM_TYPE } from '../protocol/scim.api';
import { Exchange, ScimController, type ScimExchange } from '../keys/scim-endpoints';
import { ScimGroups } from './scim-groups.service';

/** User groups, for the directory of a company that keeps them (RFC 7644). */
@ScimController('Groups')
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroups) {}

  /** Lists groups that meet a filter. */
  @Get()
  @Header('content-type', SCIM_TYPE)
  async list(@Exchange() asked: ScimExchange): Promise<string> {
    return asked.answer(await this.groups.list(asked.caller, listQuestion(asked)));
  }

  /** Makes a group. */
  @Post()
  @TakesRawBody()
  @HttpCode(201)
  @Header('content-type', SCIM_TYPE)
  async create(@Exchange() asked: ScimExchange): Promise<string> {
    return asked.answer(await this.groups.create(asked.caller, changesOfWhole(asked.json())));
  }

  /**
   * Shows a group.
   * @answersAlike 304 the directory has this version
   */
  @Get(':id')
  @Header('content-type', SCIM_TYPE)
  async get(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<string> {
    return asked.answer(shown(await this.groups.get(asked.caller, id), shownAttributes(asked)));
  }

  /**
   * Changes name and members to what the body says.
   * @answersAlike 412 the group has changed since the directory read it
   */
  @Put(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async replace(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<string> {
    const changes = changesOfWhole(asked.json());
    return asked.answer(await this.groups.change(asked.caller, id, changes, asked.version, true));
  }

  /**
   * Changes the name or single members.
   * @answersAlike 412 the group has changed since the directory read it
   */
  @Patch(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async patch(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<string> {
    const changes = changesOfPatch(asked.json());
    return asked.answer(await this.groups.change(asked.caller, id, changes, asked.version));
  }

  /**
   * Takes a group out of use.
   * @answersAlike 412 the group has changed since the directory read it
   */
  @Delete(':id')
  @HttpCode(204)
  async remove(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<void> {
    await this.groups.remove(asked.caller, id, asked.version);
  }
}
