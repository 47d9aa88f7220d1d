import { Delete, Get, Header, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { TakesRawBody } from '../../../../platform/http/body/raw-body';
import { PathId } from '../../../../platform/http/companion/companion-decorators';
import { changesOfPatch, changesOfWhole } from '../protocol/changes';
import { listQuery, shown, shownAttributes } from '../protocol/listing';
import { InvalidPath, SCIM_TYPE } from '../protocol/scim.api';
import { CurrentScimRequest, ScimController, type ScimRequest } from '../keys/scim-endpoints';
import { ScimPeople } from './scim-people.service';
import { wantedPerson } from './wanted-person';

/** People that a company directory has access to (RFC 7644). */
@ScimController('Users')
export class ScimUsersController {
  constructor(private readonly people: ScimPeople) {}

  /** Lists people that match a filter. */
  @Get()
  @Header('content-type', SCIM_TYPE)
  async list(@CurrentScimRequest() request: ScimRequest): Promise<string> {
    return request.answer(await this.people.list(request.caller, listQuery(request)));
  }

  /** Creates an account without a password. */
  @Post()
  @TakesRawBody()
  @HttpCode(201)
  @Header('content-type', SCIM_TYPE)
  async create(@CurrentScimRequest() request: ScimRequest): Promise<string> {
    const wanted = wantedPerson(changesOfWhole(request.json())) ?? {};
    return request.answer(await this.people.create(request.caller, wanted));
  }

  /**
   * Returns a person.
   * @answersAlike 304 the directory already has this version
   */
  @Get(':id')
  @Header('content-type', SCIM_TYPE)
  async get(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<string> {
    return request.answer(shown(await this.people.get(request.caller, id), shownAttributes(request)));
  }

  /**
   * Changes all attributes in the body.
   * @answersAlike 412 the person has changed since the directory read it
   */
  @Put(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async replace(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<string> {
    const wanted = wantedPerson(changesOfWhole(request.json())) ?? {};
    return request.answer(await this.people.change(request.caller, id, wanted, request.version));
  }

  /**
   * Changes individual attributes.
   * @answersAlike 412 the person has changed since the directory read it
   */
  @Patch(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async patch(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<string> {
    const wanted = wantedPerson(changesOfPatch(request.json()));
    if (!wanted) throw new InvalidPath('None of these attributes is supported.');
    return request.answer(await this.people.change(request.caller, id, wanted, request.version));
  }

  /**
   * Deactivates a person; nothing is deleted.
   * @answersAlike 412 the person has changed since the directory read it
   */
  @Delete(':id')
  @HttpCode(204)
  async remove(@CurrentScimRequest() request: ScimRequest, @PathId('id') id: number): Promise<void> {
    await this.people.change(request.caller, id, { active: false }, request.version);
  }
}
