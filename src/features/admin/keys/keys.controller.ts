import { Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  CompanionController,
  JsonBody,
  PathId,
  QueryParameters,
} from '../../../platform/http/companion/companion-decorators';
import { PageQuery, type PageAnswer } from '../../../platform/http/companion/paging';
import {
  AdministratorOnly,
  CurrentActor,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../../platform/http/decorators';
import { type NamedKeyRecord, type NewNamedKeyRecord, NewOwnKeyDto, type RevokedKeys } from './keys.api';
import { KeysService } from './keys.service';

/** Named API keys with scopes, in addition to the key that clients fetch with a password. */
@CompanionController('auth')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  /** Lists the named API keys of the caller and of their bots, oldest first. */
  @Get('keys')
  listOwn(
    @CurrentActor() actor: Actor,
    @QueryParameters() query: PageQuery,
  ): Promise<PageAnswer<NamedKeyRecord>> {
    return this.keys.own(actor, query);
  }

  /**
   * Creates an API key with a name and scopes, for the caller or one of their bots. It is shown only once.
   * @answers 400 the password is wrong
   * @answers 403 the bot is not the caller's, or a person without a password did not sign in recently
   * @answers 404 there is no such bot
   * @answers 409 the account already has 50 keys
   * @answers 429 too many wrong passwords
   */
  @Post('keys')
  @HttpCode(201)
  make(
    @CurrentActor() actor: Actor,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
    @JsonBody() body: NewOwnKeyDto,
  ): Promise<NewNamedKeyRecord> {
    return this.keys.make(actor, body, requireRecent);
  }

  /** Revokes all named API keys of the caller; those of their bots stay valid. */
  @Delete('keys')
  async revokeAllOwn(@CurrentActor() actor: Actor): Promise<RevokedKeys> {
    return { revoked: await this.keys.revokeAllOwn(actor) };
  }

  /**
   * Revokes a named API key of the caller or of one of their bots, immediately.
   * @answers 404 the caller has no such key
   */
  @Delete('keys/:key_id')
  @HttpCode(204)
  revokeOwn(@CurrentActor() actor: Actor, @PathId('key_id') id: number): Promise<void> {
    return this.keys.revokeOwn(actor, id);
  }

  /**
   * Lists the named API keys of a person or bot, oldest first; only owners see those of owners.
   * @answers 404 there is no such account
   * @answers 409 the person was deleted
   */
  @Get('users/:user_id/keys')
  @AdministratorOnly()
  listOfAccount(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @QueryParameters() query: PageQuery,
  ): Promise<PageAnswer<NamedKeyRecord>> {
    return this.keys.ofAccount(actor, userId, query);
  }

  /**
   * Revokes all named API keys of a person or bot; only owners revoke those of owners.
   * @answers 404 there is no such account
   * @answers 409 the person was deleted
   */
  @Delete('users/:user_id/keys')
  @AdministratorOnly()
  async revokeAllOfAccount(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
  ): Promise<RevokedKeys> {
    return { revoked: await this.keys.revokeAllOfAccount(actor, userId) };
  }

  /**
   * Revokes a named API key of a person or bot; only owners revoke those of owners.
   * @answers 404 there is no such account, or it has no such key
   * @answers 409 the person was deleted
   */
  @Delete('users/:user_id/keys/:key_id')
  @HttpCode(204)
  @AdministratorOnly()
  revokeOfAccount(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @PathId('key_id') id: number,
  ): Promise<void> {
    return this.keys.revokeOfAccount(actor, userId, id);
  }
}
