import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, OptionalCredentials } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { RegisterDto, toRegisterRequest } from './register.api';
import { RegisterService } from './register.service';

/** Where clients begin. */
@Controller('api/v1/register')
@NeedsScope('read')
export class RegisterController {
  constructor(private readonly registration: RegisterService) {}

  /** Registers a client: gives the present state, and a queue of everything that happens from then on. */
  @Post()
  @OptionalCredentials()
  register(@CurrentActor() actor: Actor | null, @Parameters() input: RegisterDto) {
    return this.registration.register(actor, toRegisterRequest(input));
  }
}
