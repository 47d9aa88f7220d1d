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

/** The pages of the console. All of them are the same HTML, whose script shows what the URL refers to. */
@Controller('console')
export class ConsoleController {
  constructor(
    private readonly assets: ConsoleAssets,
    private readonly tokens: CsrfTokens,
    private readonly config: Config,
  ) {}

  /**
   * Shows the first page of the console to people with a session. Others are redirected to sign in.
   * @answersAlike 302 the caller is not signed in
   * @answersAlike 404 the console is disabled, or was not built
   */
  @Get()
  @SessionPage()
  @NotRateLimited()
  @WebPage(SHELL_HEADERS)
  showFirst(@CurrentSession() sessionId: string, @Req() request: FastifyRequest): string {
    return this.shell(request, sessionId);
  }

  /**
   * Shows a page of the console to people with a session. Others are redirected to sign in.
   * @answersAlike 302 the caller is not signed in
   * @answersAlike 404 the console is disabled, or was not built
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

/** Files loaded by the pages: the same for everyone. */
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
   * Serves the service worker, which shows notifications while no page of the console is open.
   * @answersAlike 404 the console is disabled, or was not built
   */
  @Get('console/worker.js')
  @Header('cache-control', 'no-cache')
  // It shows notifications with the icon of the console.
  @Header('content-security-policy', "default-src 'none'; img-src 'self'")
  // With a trailing slash, the scope would exclude the first page of the console.
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
   * Serves the web app manifest, with which the console can be installed as an app.
   * @answersAlike 404 the console is disabled, or was not built
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
   * Serves a file of the console. The content of a name never changes.
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

  /** The favicon. */
  @Get('favicon.ico')
  @Header('content-type', 'image/svg+xml')
  @Header('content-security-policy', "default-src 'none'; style-src 'none'")
  @Header('cache-control', 'public, max-age=86400')
  icon(): string {
    return ICON;
  }
}
