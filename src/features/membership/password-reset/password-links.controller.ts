import { HttpCode, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CompanionController, PathId } from '../../../platform/http/companion/companion-decorators';
import { AdministratorOnly, CurrentActor, NeedsRecentSignIn } from '../../../platform/http/decorators';
import { type PasswordLink, PasswordLinksService } from './password-links.service';

/** Links for new passwords that administrators hand over themselves, where no mail is sent or none arrives. */
@CompanionController('auth/users')
export class PasswordLinksController {
  constructor(private readonly links: PasswordLinksService) {}

  /**
   * Makes a link with which a person sets a new password: once, within an hour. Only owners make those of owners.
   * @answers 404 there is no such person
   * @answers 409 the person was deleted
   */
  @Post(':user_id/password-link')
  @NeedsRecentSignIn()
  @HttpCode(201)
  @AdministratorOnly()
  create(@CurrentActor() actor: Actor, @PathId('user_id') userId: number): Promise<PasswordLink> {
    return this.links.create(actor, userId);
  }
}
