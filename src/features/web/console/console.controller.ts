import { Controller, Get, Header, Headers, Req, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../../platform/config/config';
import {
  CurrentSession,
  NotRateLimited,
  Public,
  SessionPage,
  WithoutDatabase,
} from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { languageOf, languagesOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { ConsoleAssets } from './console-assets.service';
import { ConsoleFileDto, ConsolePageDto, NoSuchConsoleFile } from './console.api';
import { ICON, manifestOf, renderShell, SHELL_HEADERS } from './shell';

/** The pages of the console. All of them are one page, whose script shows what the address stands for. */
@Controller('console')
export class ConsoleController {
  constructor(
    private readonly assets: ConsoleAssets,
    private readonly tokens: CsrfTokens,
    private readonly config: Config,
  ) {}

  /**
   * Shows the first page of the console to people with a session. Others are led to where they sign in.
   * @answersAlike 302 the caller is not signed in
   * @answersAlike 404 the console is switched off, or was not built
   */
  @Get()
  @SessionPage()
  @NotRateLimited()
  @WebPage(SHELL_HEADERS)
  showFirst(@CurrentSession() sessionId: string, @Req() request: FastifyRequest): string {
    return this.shell(request, sessionId);
  }

  /**
   * Shows a page of the console, likewise.
   * @answersAlike 302 the caller is not signed in
   * @answersAlike 404 the console is switched off, or was not built
   */
  @Get('*')
  @SessionPage()
  @NotRateLimited()
  @WebPage(SHELL_HEADERS)
  show(
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
    @Parameters() _page: ConsolePageDto,
  ): string {
    return this.shell(request, sessionId);
  }

  private shell(request: FastifyRequest, sessionId: string): string {
    const entries = this.assets.entriesIn(languagesOf(request));
    if (!entries) throw new NoSuchConsoleFile();
    const facts = {
      csrfToken: this.tokens.tokenFor(sessionId),
      receivesMail: this.config.emailGatewayPattern !== null,
    };
    return renderShell(entries, facts, languageOf(request));
  }
}

/** What the pages load: the same for everybody. */
@Controller()
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class ConsoleFilesController {
  constructor(
    private readonly assets: ConsoleAssets,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * Serves the program that shows notifications while no page of the console is open (a service worker).
   * @answersAlike 404 the console is switched off, or was not built
   */
  @Get('console/worker.js')
  @Header('cache-control', 'no-cache')
  // It shows notifications, with the icon of the console.
  @Header('content-security-policy', "default-src 'none'; img-src 'self'")
  // Without the slash, the first page of the console would be left out.
  @Header('service-worker-allowed', '/console')
  worker(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { worker } = this.assets;
    if (!worker) throw new NoSuchConsoleFile();
    void reply.header('content-type', worker.type);
    return worker.content.send(accepted, reply);
  }

  /**
   * Tells systems how to install the console as an app (a web app manifest).
   * @answersAlike 404 the console is switched off, or was not built
   */
  @Get('console/manifest.webmanifest')
  @Header('content-type', 'application/manifest+json')
  @Header('cache-control', 'no-cache')
  manifest(): string {
    const entries = this.assets.entriesIn([]);
    if (!entries) throw new NoSuchConsoleFile();
    return manifestOf(this.organization.settings.name, entries.icons);
  }

  /**
   * Serves a file that the console is made of. The content behind a name never changes.
   * @answersAlike 404 there is no such file
   */
  @Get('console/assets/:file')
  async serve(
    @Parameters() { file }: ConsoleFileDto,
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const asset = this.assets.byName(file);
    if (!asset) throw new NoSuchConsoleFile();
    void reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': asset.type,
    });
    return asset.content.send(accepted, reply);
  }

  /** The sign that browsers show beside the name of a page. */
  @Get('favicon.ico')
  @Header('content-type', 'image/svg+xml')
  @Header('content-security-policy', "default-src 'none'; style-src 'none'")
  @Header('cache-control', 'public, max-age=86400')
  icon(): string {
    return ICON;
  }
}
