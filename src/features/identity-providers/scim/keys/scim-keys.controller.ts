import { Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Actor } from '../../../../platform/actor';
import {
  CompanionController,
  JsonBody,
  PathId,
} from '../../../../platform/http/companion/companion-decorators';
import { CurrentActor, NeedsRecentSignIn, OwnerOnly } from '../../../../platform/http/decorators';
import { NewScimKeyDto, type NewScimKeyRecord, scimKeyRecord, type ScimKeyRecord } from './scim-keys.api';
import { ScimKeys } from './scim-keys.service';

/** Keys with which company directories manage people and groups (SCIM). */
@CompanionController('directories/keys')
@OwnerOnly()
export class ScimKeysController {
  constructor(private readonly keys: ScimKeys) {}

  /** Lists the keys of directories, oldest first. */
  @Get()
  async list(): Promise<{ readonly keys: ScimKeyRecord[] }> {
    return { keys: (await this.keys.list()).map(scimKeyRecord) };
  }

  /**
   * Creates a key for a directory, which is shown only once.
   * @answers 409 there are already 20 keys
   */
  @Post()
  @HttpCode(201)
  @NeedsRecentSignIn()
  make(@CurrentActor() actor: Actor, @JsonBody() { directory }: NewScimKeyDto): Promise<NewScimKeyRecord> {
    return this.keys.make(actor, directory);
  }

  /**
   * Revokes a key immediately.
   * @answers 404 no such key
   */
  @Delete(':key_id')
  @HttpCode(204)
  revoke(@CurrentActor() actor: Actor, @PathId('key_id') id: number): Promise<void> {
    return this.keys.revoke(actor, id);
  }
}
