import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { TryWelcomeTextDto } from './welcome.api';
import { WelcomeService } from './welcome.service';

/** What people who are new are told. */
@Controller('api/v1/realm/test_welcome_bot_custom_message')
@NeedsScope('administer')
export class WelcomeController {
  constructor(private readonly welcome: WelcomeService) {}

  /** Sends the caller what people who are new would get. */
  @Post()
  @AdministratorOnly()
  async send(
    @CurrentActor() actor: Actor,
    @Parameters() input: TryWelcomeTextDto,
  ): Promise<{ message_id: number }> {
    return { message_id: await this.welcome.sendSample(actor, input.welcome_message_custom_text) };
  }
}
