import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsRecentSignIn, NotForNamedKeys } from '../../../platform/http/decorators';
import { ApiKeyService } from './api-key.service';

/** The caller's own API key. */
@Controller('api/v1/users/me/api_key')
@NotForNamedKeys()
export class ApiKeyController {
  constructor(private readonly apiKeys: ApiKeyService) {}

  /** Replaces the caller's API key; the old one stops working immediately. */
  @Post('regenerate')
  @NeedsRecentSignIn()
  async regenerate(@CurrentActor() actor: Actor) {
    return { api_key: await this.apiKeys.regenerate(actor, actor.userId) };
  }
}
