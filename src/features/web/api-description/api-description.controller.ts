import { Controller, Get, Header, Headers, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../../platform/actor';
import {
  CurrentActor,
  CurrentSession,
  NotRateLimited,
  OpenPage,
  Public,
  WithoutDatabase,
} from '../../../platform/http/decorators';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { AccountDirectory } from '../../users/users.module';
import { ApiDescriptionService } from './api-description.service';
import { PAGE_POLICY } from './page';

/** The server's description of its interfaces. Public and the same for everyone, since the source is open. */
@Controller('api')
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class ApiDescriptionController {
  constructor(private readonly description: ApiDescriptionService) {}

  /** Describes both interfaces as an OpenAPI document. */
  @Get('docs-json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async document(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return (await this.description.document()).send(accepted, reply);
  }

  /** Describes both interfaces as a web page. */
  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-cache')
  async page(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return (await this.description.page()).send(accepted, reply);
  }

  /** The script of the page. */
  @Get('docs.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async script(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return (await this.description.script()).send(accepted, reply);
  }
}

/** Returns the account with which the page can make requests. */
@Controller('api/docs/session')
export class PageSessionController {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Returns the user of the browser session, and the token for calls from pages of this server; empty without a
   * session.
   */
  @Get()
  @OpenPage()
  @Header('cache-control', 'no-store')
  tell(
    @CurrentActor() actor: Actor | null,
    @CurrentSession() sessionId: string | null,
  ): { name: string | null; csrf_token: string | null } {
    if (actor === null || sessionId === null) return { name: null, csrf_token: null };
    const { fullName } = this.accounts.existing(actor.userId);
    return { name: fullName, csrf_token: this.tokens.tokenFor(sessionId) };
  }
}
