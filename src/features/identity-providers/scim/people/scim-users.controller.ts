import { Controller, Delete, Get, Header, HttpCode, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { ForeignRequest, SentRequest, TakesRawBody } from '../../../../platform/http/body/raw-body';
import { PathId } from '../../../../platform/http/companion/companion-decorators';
import { NotRateLimited, OwnSecret } from '../../../../platform/http/decorators';
import { CurrentDirectory, type DirectoryCaller, ScimKeyGuard } from '../keys/scim-key.guard';
import { changesOfPatch, changesOfWhole } from '../protocol/changes';
import { listQuestion, shown, shownAttributes } from '../protocol/listing';
import { InvalidPath, SCIM_TYPE } from '../protocol/scim.api';
import { ScimPeople } from './scim-people.service';
import { wantedPerson } from './wanted-person';

/** People, for the directory of a company (RFC 7644). */
@Controller('scim/v2/Users')
@OwnSecret()
@NotRateLimited()
@UseGuards(ScimKeyGuard)
export class ScimUsersController {
  constructor(private readonly people: ScimPeople) {}

  /** Lists people who meet a filter. */
  @Get()
  @Header('content-type', SCIM_TYPE)
  async list(
    @CurrentDirectory() caller: DirectoryCaller,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(await this.people.list(caller, listQuestion(request)));
  }

  /** Makes an account without a password. */
  @Post()
  @TakesRawBody()
  @HttpCode(201)
  @Header('content-type', SCIM_TYPE)
  async create(
    @CurrentDirectory() caller: DirectoryCaller,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(
      await this.people.create(caller, wantedPerson(changesOfWhole(request.json())) ?? {}),
    );
  }

  /** Shows a person. */
  @Get(':id')
  @Header('content-type', SCIM_TYPE)
  async get(
    @CurrentDirectory() caller: DirectoryCaller,
    @PathId('id') id: number,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    return JSON.stringify(shown(await this.people.get(caller, id), shownAttributes(request)));
  }

  /** Changes all that the body says. */
  @Put(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async replace(
    @CurrentDirectory() caller: DirectoryCaller,
    @PathId('id') id: number,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    const wanted = wantedPerson(changesOfWhole(request.json())) ?? {};
    return JSON.stringify(await this.people.change(caller, id, wanted));
  }

  /** Changes single attributes. */
  @Patch(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async patch(
    @CurrentDirectory() caller: DirectoryCaller,
    @PathId('id') id: number,
    @SentRequest() request: ForeignRequest,
  ): Promise<string> {
    const wanted = wantedPerson(changesOfPatch(request.json()));
    if (!wanted) throw new InvalidPath('None of these attributes is kept here.');
    return JSON.stringify(await this.people.change(caller, id, wanted));
  }

  /** Deactivates a person; nothing is deleted. */
  @Delete(':id')
  @HttpCode(204)
  async remove(@CurrentDirectory() caller: DirectoryCaller, @PathId('id') id: number): Promise<void> {
    await this.people.change(caller, id, { active: false });
  }
}
