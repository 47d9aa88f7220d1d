import { Controller, Get, Post } from '@nestjs/common';
import { ClientAddress, Public } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { DevelopmentSignInService } from './development-sign-in.service';
import { DevelopmentKeyDto, FetchApiKeyDto } from './fetch-api-key.dto';
import { FetchApiKeyService } from './fetch-api-key.service';
import type { SignedIn } from './sign-in.service';

/** How people come by their API key. */
@Controller('api/v1')
@Public()
export class FetchApiKeyController {
  constructor(
    private readonly byPassword: FetchApiKeyService,
    private readonly development: DevelopmentSignInService,
  ) {}

  @Post('fetch_api_key')
  async fetch(@Parameters() { username, password }: FetchApiKeyDto, @ClientAddress() address: string) {
    return keyAnswer(await this.byPassword.fetch({ email: username, password, address }));
  }

  @Post('dev_fetch_api_key')
  async fetchInDevelopment(@Parameters() { username }: DevelopmentKeyDto) {
    return keyAnswer(await this.development.fetch(username));
  }

  @Get('dev_list_users')
  listInDevelopment() {
    return this.development.list();
  }
}

/** An API key and whose it is. */
interface KeyAnswer {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

function keyAnswer({ apiKey, email, userId }: SignedIn): KeyAnswer {
  return { api_key: apiKey, email, user_id: userId };
}
