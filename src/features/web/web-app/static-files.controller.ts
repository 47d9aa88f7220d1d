import { Controller, Get, Headers, HttpCode, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AlsoWithSlash } from '../../../platform/http/methods';
import { NotRateLimited, Public, WithoutDatabase } from '../../../platform/http/decorators';
import { accepts } from '../../../platform/http/files/shared-content';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { StaticFiles } from './static-files.service';
import { StaticFileDto } from './web-app.api';

/** The files of the web app, under the URLs that its scripts use. */
@Controller('static')
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class StaticFilesController {
  constructor(private readonly files: StaticFiles) {}

  /**
   * Serves a file of the web app that the operator unpacked.
   * @answers 304 the caller has it already
   * @answers 404 there is no such file, or no web app
   */
  @Get('*')
  async serve(
    @Parameters() { file }: StaticFileDto,
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const answer = await this.files.find(file, accepts('gzip', accepted));
    void reply.headers(answer.headers);
    const isKnown = (known ?? '')
      .split(',')
      .some((tag) => tag.trim().replace(/^W\//, '') === answer.headers.etag);
    if (isKnown) void reply.code(304);
    return isKnown
      ? new StreamableFile(NOTHING, { length: 0 })
      : new StreamableFile(answer.open(), { length: answer.length });
  }
}

const NOTHING = Buffer.alloc(0);

/** The start page of old desktop apps. */
@Controller('desktop_home')
@Public()
@WithoutDatabase('never')
export class DesktopHomeController {
  /** Redirects to the regular start page. */
  @Get()
  @AlsoWithSlash()
  @HttpCode(302)
  lead(@Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.header('location', '/');
  }
}
