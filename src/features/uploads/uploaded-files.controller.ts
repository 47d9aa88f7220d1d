import { Controller, Get, UseInterceptors } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import {
  CurrentActor,
  NeedsScope,
  NotRateLimited,
  OptionalCredentials,
  Public,
  TakesSessions,
} from '../../platform/http/decorators';
import type { FileAnswer } from '../../platform/http/files/file-answer';
import { FileAnswerInterceptor } from '../../platform/http/files/file-answer.interceptor';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { DownloadService } from './download.service';
import { TemporaryLinkDto, UploadAddressDto } from './uploads.api';

/** The files themselves, under the addresses that messages link to. */
@Controller('user_uploads')
@UseInterceptors(FileAnswerInterceptor)
@NeedsScope('read')
export class UploadedFilesController {
  constructor(private readonly downloads: DownloadService) {}

  /**
   * Serves an uploaded file to users who may read a message that links it.
   * @answersAlike 206 the part that was asked for
   * @answers 304 the caller has it already
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   * @answers 416 the file has no such part
   */
  @Get(':realm_id(\\d+)/:folder/:key/:name')
  @OptionalCredentials()
  @TakesSessions()
  serve(@CurrentActor() reader: Actor | null, @Parameters() address: UploadAddressDto) {
    return this.downloads.find(reader, address.path);
  }

  /**
   * Serves an uploaded file for saving, whatever a browser could show of it.
   * @answersAlike 206 the part that was asked for
   * @answers 304 the caller has it already
   * @answers 403 the caller may not read it
   * @answers 404 there is no such file
   * @answers 416 the file has no such part
   */
  @Get('download/:realm_id(\\d+)/:folder/:key/:name')
  @OptionalCredentials()
  @TakesSessions()
  async download(
    @CurrentActor() reader: Actor | null,
    @Parameters() address: UploadAddressDto,
  ): Promise<FileAnswer> {
    return { ...(await this.downloads.find(reader, address.path)), isDownload: true };
  }

  /**
   * Serves an uploaded file to anyone who has a temporary link to it. Getting the link was counted; a player that follows
   * it makes many requests.
   * @answersAlike 206 the part that was asked for
   * @answers 304 the caller has it already
   * @answers 400 the link is too old, or its file name was changed
   * @answers 404 there is no such file
   * @answers 416 the file has no such part
   */
  @Get('temporary/:token/:name')
  @Public()
  @NotRateLimited()
  serveTemporarily(@Parameters() link: TemporaryLinkDto) {
    return this.downloads.findByToken(link.token, link.name);
  }
}
