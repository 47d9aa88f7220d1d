import { Delete, Get, Header, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { TakesRawBody } from '../../../../platform/http/body/raw-body';
import { PathId } from '../../../../platform/http/companion/companion-decorators';
import { changesOfPatch, changesOfWhole } from '../protocol/changes';
import { listQuestion, shown, shownAttributes } from '../protocol/listing';
import { InvalidPath, SCIM_TYPE } from '../protocol/scim.api';
import { Exchange, ScimController, type ScimExchange } from '../keys/scim-endpoints';
import { ScimPeople } from './scim-people.service';
import { wantedPerson } from './wanted-person';

/** People, for the directory of a company (RFC 7644). */
@ScimController('Users')
export class ScimUsersController {
  constructor(private readonly people: ScimPeople) {}

  /** Lists people who meet a filter. */
  @Get()
  @Header('content-type', SCIM_TYPE)
  async list(@Exchange() asked: ScimExchange): Promise<string> {
    return asked.answer(await this.people.list(asked.caller, listQuestion(asked)));
  }

  /** Makes an account without a password. */
  @Post()
  @TakesRawBody()
  @HttpCode(201)
  @Header('content-type', SCIM_TYPE)
  async create(@Exchange() asked: ScimExchange): Promise<string> {
    const wanted = wantedPerson(changesOfWhole(asked.json())) ?? {};
    return asked.answer(await this.people.create(asked.caller, wanted));
  }

  /**
   * Shows a person.
   * @answersAlike 304 the directory has this version
   */
  @Get(':id')
  @Header('content-type', SCIM_TYPE)
  async get(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<string> {
    return asked.answer(shown(await this.people.get(asked.caller, id), shownAttributes(asked)));
  }

  /**
   * Changes all that the body says.
   * @answersAlike 412 the person has changed since the directory read it
   */
  @Put(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async replace(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<string> {
    const wanted = wantedPerson(changesOfWhole(asked.json())) ?? {};
    return asked.answer(await this.people.change(asked.caller, id, wanted, asked.version));
  }

  /**
   * Changes single attributes.
   * @answersAlike 412 the person has changed since the directory read it
   */
  @Patch(':id')
  @TakesRawBody()
  @Header('content-type', SCIM_TYPE)
  async patch(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<string> {
    const wanted = wantedPerson(changesOfPatch(asked.json()));
    if (!wanted) throw new InvalidPath('None of these attributes is supported.');
    return asked.answer(await this.people.change(asked.caller, id, wanted, asked.version));
  }

  /**
   * Deactivates a person; nothing is deleted.
   * @answersAlike 412 the person has changed since the directory read it
   */
  @Delete(':id')
  @HttpCode(204)
  async remove(@Exchange() asked: ScimExchange, @PathId('id') id: number): Promise<void> {
    await this.people.change(asked.caller, id, { active: false }, asked.version);
  }
}
